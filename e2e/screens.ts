import { mkdirSync, rmSync } from "node:fs";
import { chromium } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { takeDesk } from "./screens/take-desk.ts";
import { takePanel } from "./screens/take-panel.ts";

/**
 * Draws docs/screens: one sheet for each state of the panel (desktop and phone, light and dark, English and Arabic),
 * the desk, and the README's pictures. With names of states (`npm run screens -- answer menu`) only those.
 */
const OUT = new URL("../docs/screens/", import.meta.url).pathname;
const names = process.argv.slice(2);

const browser = await chromium.launch(launchOptions);
try {
  if (names.length === 0) rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await takePanel(browser, OUT, names);
  if (names.length === 0 || names.includes("desk")) await takeDesk(browser, OUT);
} finally {
  await browser.close();
}
