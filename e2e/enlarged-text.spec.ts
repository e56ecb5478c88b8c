import { expect, type Locator, test } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { panelOn } from "./kit/panel.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";
import { pull } from "./kit/pull.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(async () => {
  await stage.close();
});

/** A phone whose owner reads at twice the text size. */
test.use({
  launchOptions: { ...launchOptions, args: ["--blink-settings=defaultFontSize=32"] },
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
});

const SUGGESTIONS = "Where is my order?\nDo you repair old lamps?\nCan I return a lamp?";

const sizeOf = (box: Locator) => box.evaluate((one) => parseFloat(getComputedStyle(one).fontSize));

test("LOOK15 at twice the text size a first screen with a problem has its box in sight, with larger text", async ({
  page,
}) => {
  stage.set([]);
  await page.route("**/chat-identity", (route) => route.fulfill({ status: 500 }));
  await page.goto(stage.page({ suggestions: SUGGESTIONS, identityUrl: "/chat-identity" }));
  const panel = panelOn(page);
  await panel.launcher.tap();
  await expect(panel.button("Continue without signing in")).toBeVisible();
  await expect(panel.composer).toBeInViewport({ ratio: 1 });
  expect(await sizeOf(panel.composer)).toBe(32);
});

test("at twice the text size the menu is as wide as the panel at most", async ({ page }) => {
  stage.set([]);
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  await panel.say("Hello");
  await panel.button("More").tap();
  await expect(panel.button("Download transcript TXT")).toBeInViewport({ ratio: 1 });
  await expect(panel.frame.getByRole("switch")).toBeInViewport({ ratio: 1 });
});

test("at twice the text size the buttons below the box are whole in a language with long words", async ({
  page,
}) => {
  stage.set([{ id: "m2", seq: 2, role: "customer", body: "Hallo", at: "2026-11-20T10:24:00.000Z" }]);
  await page.goto(stage.page({ locale: "de" }));
  const panel = panelOn(page);
  await panel.launcher.tap();
  await expect(panel.button("Unterhaltung beenden")).toBeInViewport({ ratio: 1 });
  await expect(panel.button("Mit einem Menschen sprechen")).toBeInViewport({ ratio: 1 });
});

test("at twice the text size a finger scrolls to the buttons that a problem pushes out of sight", async ({
  page,
}) => {
  stage.set([{ id: "m2", seq: 2, role: "customer", body: "Hallo", at: "2026-11-20T10:24:00.000Z" }]);
  await page.route(/\/api\/conversation(\?|$)/, (route) => route.fulfill({ status: 504 }));
  await page.goto(stage.page({ locale: "de" }));
  const panel = panelOn(page);
  await panel.launcher.tap();
  await panel.button("Unterhaltung beenden").tap();
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "Unterhaltung beenden" }).tap();
  await expect(panel.button("Erneut versuchen")).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(panel.button("Unterhaltung beenden")).not.toBeInViewport({ ratio: 1 });
  await pull(await page.context().newCDPSession(page), [150], 625, -200);
  await expect(panel.button("Unterhaltung beenden")).toBeInViewport({ ratio: 1 });
});
