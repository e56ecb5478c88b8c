import { BrokenFile } from "./byte-reader.ts";

/**
 * The most pixels of a picture: a few bytes can claim billions, and every viewer pays for them. The largest common
 * phone cameras make 50 million.
 */
const MAX_PIXELS = 64_000_000;

/** Nothing is decoded here: a viewer reserves memory for what the header claims. @throws BrokenFile */
export function checkPixels(width: number, height: number): void {
  if (width < 1 || height < 1) throw new BrokenFile("a picture without a size");
  if (width * height > MAX_PIXELS) throw new BrokenFile("a picture of too many pixels");
}
