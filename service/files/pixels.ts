import { BrokenFile } from "./byte-reader.ts";

/**
 * Most pixels of a picture: a few bytes can claim billions, and whoever looks at them pays. The largest phone
 * cameras in common use make 50 million.
 */
export const MAX_PIXELS = 64_000_000;

/** Nothing is decoded here: what the header claims is what a viewer would make room for. @throws BrokenFile */
export function checkPixels(width: number, height: number): void {
  if (width < 1 || height < 1) throw new BrokenFile("a picture without a size");
  if (width * height > MAX_PIXELS) throw new BrokenFile("a picture of too many pixels");
}
