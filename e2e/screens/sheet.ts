import type { Page } from "@playwright/test";

/** One picture on a sheet and its caption. */
export interface Shot {
  readonly png: Buffer;
  readonly label: string;
}

/** The maximum size of a sheet; a larger one is stored with fewer colours. */
const MAX_BYTES = 250_000;

/** Puts the rows of pictures on one sheet; returns it as WebP, lossless if that fits. */
export async function sheetOf(page: Page, rows: readonly (readonly Shot[])[]): Promise<Buffer> {
  const given = rows.map((row) => row.map(({ png, label }) => ({ data: png.toString("base64"), label })));
  for (const quality of [1, 0.9, 0.8, 0.6]) {
    const sheet = Buffer.from(await page.evaluate(draw, { rows: given, quality }), "base64");
    if (sheet.length <= MAX_BYTES || quality === 0.6) return sheet;
  }
  throw new Error("no sheet");
}

/** Runs in the browser. */
async function draw(given: {
  readonly rows: readonly (readonly { readonly data: string; readonly label: string }[])[];
  readonly quality: number;
}): Promise<string> {
  const [gap, below] = [16, 28];
  const rows = await Promise.all(
    given.rows.map((row) =>
      Promise.all(
        row.map(async ({ data, label }) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          return { image, label };
        }),
      ),
    ),
  );
  const widthOf = (row: (typeof rows)[number]) =>
    row.reduce((sum, { image }) => sum + image.width + gap, gap);
  const heightOf = (row: (typeof rows)[number]) =>
    Math.max(...row.map(({ image }) => image.height)) + below + gap;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(...rows.map(widthOf));
  canvas.height = rows.reduce((sum, row) => sum + heightOf(row), gap);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.fillStyle = "#8c9192";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = "15px system-ui";
  pen.fillStyle = "#000";
  let y = gap;
  for (const row of rows) {
    let x = gap;
    for (const { image, label } of row) {
      pen.drawImage(image, x, y);
      pen.fillText(label, x, y + image.height + 20);
      x += image.width + gap;
    }
    y += heightOf(row);
  }
  return canvas.toDataURL("image/webp", given.quality).split(",")[1] ?? "";
}
