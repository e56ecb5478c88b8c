import { writeFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { type PanelStage, startPanelStage } from "../kit/panel-stage.ts";
import { SCENES } from "./scenes.ts";
import { type Shot, sheetOf } from "./sheet.ts";
import { picture, type Scene, type Variant } from "./visit.ts";

const DEVICES = ["desktop", "phone"] as const;
const COLUMNS = (["en", "ar"] as const).flatMap((language) =>
  (["light", "dark"] as const).map((look) => ({ language, look })),
);

/** One sheet for each state of the panel, with its eight pictures; if `names` is not empty, only those states. */
export async function takePanel(browser: Browser, out: string, names: readonly string[]): Promise<void> {
  // A stage has one log, so concurrent drawings each have their own stage.
  const stages = await Promise.all(COLUMNS.map(() => startPanelStage()));
  const page = await browser.newPage();
  try {
    for (const scene of SCENES) {
      if (names.length > 0 && !names.includes(scene.name)) continue;
      const rows: Shot[][] = [];
      for (const device of DEVICES) rows.push(await rowOf(browser, stages, scene, device));
      writeFileSync(`${out}${scene.name}.webp`, await sheetOf(page, rows));
    }
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

function rowOf(
  browser: Browser,
  stages: readonly PanelStage[],
  scene: Scene,
  device: Variant["device"],
): Promise<Shot[]> {
  return Promise.all(
    stages.flatMap((stage, index) => {
      const column = COLUMNS[index];
      return column ? [shoot(browser, stage, scene, { device, ...column })] : [];
    }),
  );
}

async function shoot(browser: Browser, stage: PanelStage, scene: Scene, variant: Variant): Promise<Shot> {
  const { device, look, language } = variant;
  return {
    label: `${scene.name}: ${device}, ${look}, ${language}`,
    png: await picture(browser, stage, scene, variant),
  };
}
