import { existsSync } from "node:fs";

/** Debian's headless Chromium; two to three times as fast as the full browser for these tests. */
export const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/** Launch options for whatever Chromium this machine has. */
export const launchOptions = existsSync(HEADLESS_SHELL) ? { executablePath: HEADLESS_SHELL } : {};
