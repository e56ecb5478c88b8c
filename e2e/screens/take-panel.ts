import { writeFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { startPanelStage } from "../kit/panel-stage.ts";
import { SCENES } from "./scenes.ts";
import { type Shot, sheetOf } from "./sheet.ts";
import { picture, type Variant } from "./visit.ts";

const DEVICES = ["desktop", "phone"] as const;
const COLUMNS = (["en", "ar"] as const).flatMap((language) =>
  (["light", "dark"] as const).map((look) => ({ language, look })),
);

/** One sheet for each state of the panel, with its eight pictures; only those whose name is among `names`, if there are any. */
export async function takePanel(browser: Browser, out: string, names: readonly string[]): Promise<void> {
  const stage = await startPanelStage();
  const page = await browser.newPage();
  try {
    for (const scene of SCENES) {
      if (names.length > 0 && !names.includes(scene.name)) continue;
      const rows: Shot[][] = [];
      for (const device of DEVICES) {
        const row: Shot[] = [];
        for (const column of COLUMNS) {
          const variant: Variant = { device, ...column };
          const label = `${scene.name}: ${device}, ${column.look}, ${column.language}`;
          row.push({ label, png: await picture(browser, stage, scene, variant) });
        }
        rows.push(row);
      }
      writeFileSync(`${out}${scene.name}.webp`, await sheetOf(page, rows));
    }
  } finally {
    await stage.close();
  }
}
