import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import type { PanelStage } from "../kit/panel-stage.ts";
import { SCENES } from "./scenes.ts";
import { type Variant, visitScene } from "./visit.ts";

/** Saves the transcript from the panel's menu, and shows the document in the same browser. */
export function visitTranscript<T>(
  browser: Browser,
  stage: PanelStage,
  variant: Variant,
  look: (page: Page) => Promise<T>,
): Promise<T> {
  const menu = SCENES.find(({ name }) => name === "menu");
  if (!menu) throw new Error("no menu");
  return visitScene(browser, stage, menu, variant, async ({ page, press, names }) => {
    const download = page.waitForEvent("download");
    await press(`${names.downloadTranscript} HTML`);
    const html = readFileSync(await (await download).path(), "utf8");
    const shown = await page.context().newPage();
    await shown.setContent(html);
    return look(shown);
  });
}
