import type { Page } from "@playwright/test";

/** A picture of a switch, drawn by the browser that shows it. */
export async function photo(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 320 });
    const pen = canvas.getContext("2d");
    if (!pen) return "";
    const wood = pen.createLinearGradient(0, 0, 480, 320);
    wood.addColorStop(0, "#d8b98a");
    wood.addColorStop(1, "#a87f4f");
    for (const [colour, x, y, w, h] of [
      [wood, 0, 0, 480, 320],
      ["#f4f1ea", 150, 60, 180, 200],
      ["#d9d4c8", 205, 100, 70, 120],
      ["#7a7468", 205, 100, 70, 58],
    ] as const) {
      pen.fillStyle = colour;
      pen.fillRect(x, y, w, h);
    }
    return canvas.toDataURL("image/png");
  });
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
