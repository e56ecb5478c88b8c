import { writeFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { type PanelStage, startPanelStage } from "../kit/panel-stage.ts";
import { visitTranscript } from "./saved-transcript.ts";
import { SCENES } from "./scenes.ts";
import { type Shot, sheetOf } from "./sheet.ts";
import { picture, type Variant } from "./visit.ts";

/** Draws one picture of a sheet. */
type Draw = (browser: Browser, stage: PanelStage, variant: Variant) => Promise<Buffer>;

const TRANSCRIPT: Draw = (browser, stage, variant) =>
  visitTranscript(browser, stage, variant, (page) => page.screenshot());

const SHEETS: ReadonlyMap<string, Draw> = new Map([
  ...SCENES.map((scene): [string, Draw] => [
    scene.name,
    (browser, stage, variant) => picture(browser, stage, scene, variant),
  ]),
  ["transcript", TRANSCRIPT],
]);

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
    for (const [name, draw] of SHEETS) {
      if (names.length > 0 && !names.includes(name)) continue;
      const shoot = async (stage: PanelStage, variant: Variant): Promise<Shot> => ({
        label: `${name}: ${variant.device}, ${variant.look}, ${variant.language}`,
        png: await draw(browser, stage, variant),
      });
      const rows: Shot[][] = [];
      for (const device of DEVICES) rows.push(await rowOf(stages, device, shoot));
      writeFileSync(`${out}${name}.webp`, await sheetOf(page, rows));
    }
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

function rowOf(
  stages: readonly PanelStage[],
  device: Variant["device"],
  shoot: (stage: PanelStage, variant: Variant) => Promise<Shot>,
): Promise<Shot[]> {
  return Promise.all(
    stages.flatMap((stage, index) => {
      const column = COLUMNS[index];
      return column ? [shoot(stage, { device, ...column })] : [];
    }),
  );
}
