import { writeFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { startProduct } from "../kit/product.ts";
import { DESK_SCENES, fillDesk, QUIET, visitDesk } from "./desk-scenes.ts";
import { type Shot, sheetOf } from "./sheet.ts";

/** The desk of the whole product, and the README's two pictures from the same run. */
export async function takeDesk(browser: Browser, out: string): Promise<void> {
  const product = await startProduct({ ["LOG_LEVEL"]: "error" });
  try {
    const filled = await fillDesk({ browser, product }, async (customer, maya) => {
      await customer.screenshot({ ...QUIET, path: `${out}panel.png` });
      await maya.screenshot({ ...QUIET, path: `${out}desk.png` });
    });
    const paper = await browser.newPage();
    for (const scene of DESK_SCENES) {
      const rows: Shot[][] = [];
      for (const device of ["desktop", "phone"] as const) {
        const row: Shot[] = [];
        for (const look of ["light", "dark"] as const) {
          const png = await visitDesk(filled, scene, { device, look }, (page) => page.screenshot(QUIET));
          row.push({ png, label: `${scene.name}: ${device}, ${look}` });
        }
        rows.push(row);
      }
      writeFileSync(`${out}${scene.name}.webp`, await sheetOf(paper, rows));
    }
  } finally {
    await product.dispose();
  }
}
