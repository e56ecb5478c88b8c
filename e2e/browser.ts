import { existsSync } from "node:fs";

/** Debian's headless Chromium; two to three times as fast as the full browser for these tests. */
export const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/** Launch options for whatever Chromium this machine has. */
export const launchOptions = existsSync(HEADLESS_SHELL) ? { executablePath: HEADLESS_SHELL } : {};

/**
 * Debian's Firefox. Without process isolation of sites off, clicks and keys into a frame of another site are lost by the
 * driver without an error; the same-origin policy holds either way. The driver also gets no event for a page that comes out of the
 * back-forward cache: it would wait for it for ever.
 */
export const firefox = {
  browserName: "firefox",
  channel: "moz-firefox",
  launchOptions: {
    executablePath: "/usr/bin/firefox-esr",
    firefoxUserPrefs: { "fission.autostart": false, "browser.sessionhistory.max_total_viewers": 0 },
  },
} as const;
