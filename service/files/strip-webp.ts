import { BrokenFile, type ByteReader } from "./byte-reader.ts";
import { checkPixels } from "./pixels.ts";

const KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const PICTURES = new Set(["VP8 ", "VP8L", "ANMF"]);
/** Bits of VP8X that announce an Exif and an XMP chunk. */
const ABOUT = 0x08 | 0x04;
/** How many bytes at the beginning of a chunk give the picture's size, at most. */
const SIZE_BYTES = 10;

/** Offset of the size field of a RIFF file. The size is known only at the end. */
export const RIFF_SIZE_AT = 4;

/**
 * Strips Exif, XMP, unknown chunks and bytes after the end from a WebP. The caller must write the size field of the
 * first header afterwards. Chunks as in Google's WebP Container Specification.
 *
 * @throws BrokenFile
 */
export async function* stripWebp(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const riff = await reader.take(12);
  yield riff;
  let left = new DataView(riff.buffer).getUint32(RIFF_SIZE_AT, true) - 4;
  let hasPicture = false;
  while (left > 0) {
    const head = await reader.take(8);
    const type = String.fromCharCode(...head.subarray(0, 4));
    const size = new DataView(head.buffer).getUint32(4, true);
    const padded = size + (size % 2);
    left -= 8 + padded;
    if (left < 0) throw new BrokenFile("a chunk larger than its file");
    if (!KEPT.has(type)) {
      await reader.skip(padded);
      continue;
    }
    const begin = await reader.take(Math.min(padded, SIZE_BYTES));
    checkSize(type, begin);
    if (type === "VP8X") begin[0] = (begin[0] ?? 0) & ~ABOUT;
    if (PICTURES.has(type)) hasPicture = true;
    yield head;
    yield begin;
    yield* reader.copy(padded - begin.length);
  }
  if (!hasPicture) throw new BrokenFile("a WebP without a picture");
}

function checkSize(type: string, begin: Uint8Array): void {
  if (type === "ALPH" || type === "ANIM" || type === "ANMF" || type === "ICCP") return;
  const view = new DataView(begin.buffer);
  if (begin.length < (type === "VP8L" ? 5 : SIZE_BYTES)) throw new BrokenFile("a picture without a size");
  if (type === "VP8X") {
    const at = (index: number) => 1 + view.getUint16(index, true) + view.getUint8(index + 2) * 65_536;
    checkPixels(at(4), at(7));
  } else if (type === "VP8L") {
    const bits = view.getUint32(1, true);
    checkPixels((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  } else {
    checkPixels(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff);
  }
}
