import { BrokenFile, type ByteReader } from "./byte-reader.ts";
import { checkPixels } from "./pixels.ts";

/**
 * The chunks that a picture needs to look right, including APNG's frames. Text, time, Exif and unknown chunks are
 * removed.
 */
const KEPT = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split(" "),
);
/** Any other critical chunk is refused, because its meaning is unknown. */
const isCritical = (type: string) => /^[A-Z]/.test(type);

/**
 * Strips text chunks and bytes after the end from a PNG. Chunks as in the W3C's PNG, 3rd edition.
 *
 * @throws BrokenFile
 */
export async function* stripPng(reader: ByteReader): AsyncGenerator<Uint8Array> {
  yield await reader.take(8);
  let hasHeader = false;
  let hasData = false;
  for (;;) {
    const head = await reader.take(8);
    const size = new DataView(head.buffer).getUint32(0);
    const type = String.fromCharCode(...head.subarray(4));
    if (!/^[A-Za-z]{4}$/.test(type)) throw new BrokenFile("a chunk without a name");
    if (hasHeader === (type === "IHDR")) throw new BrokenFile("a header out of place");
    if (type === "IHDR") {
      hasHeader = true;
      if (size !== 13) throw new BrokenFile("a header of another size");
      const header = await reader.take(13 + 4);
      const view = new DataView(header.buffer);
      checkPixels(view.getUint32(0), view.getUint32(4));
      yield head;
      yield header;
      continue;
    }
    if (!KEPT.has(type)) {
      if (isCritical(type)) throw new BrokenFile("an unknown critical chunk");
      await reader.skip(size + 4);
      continue;
    }
    yield head;
    yield* reader.copy(size + 4);
    if (type === "IDAT") hasData = true;
    if (type === "IEND") break;
  }
  if (!hasData) throw new BrokenFile("a PNG without a picture");
}
