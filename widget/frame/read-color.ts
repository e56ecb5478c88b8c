import type { Rgb } from "./accent.ts";

/**
 * Reads any CSS colour as the browser does: it is drawn (on white, if it is transparent) and read as bytes, so no text
 * of the page reaches a style. @returns undefined for an invalid colour
 */
export function readColor(color: string): Rgb | undefined {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return undefined;
  pen.fillStyle = color;
  const taken = pen.fillStyle;
  pen.fillStyle = "white";
  pen.fillRect(0, 0, 1, 1);
  pen.fillStyle = color;
  // Black, then white stayed. CSS.supports takes `var()` and `inherit`, which are no colours here.
  if (pen.fillStyle !== taken) return undefined;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
