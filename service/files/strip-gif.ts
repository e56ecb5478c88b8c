import { BrokenFile, type ByteReader } from "./byte-reader.ts";
import { checkPixels } from "./pixels.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The application extensions that set how often an animation repeats. */
const LOOPS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/** The size of the colour table that `packed` describes, in bytes. */
const tableSize = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/**
 * Strips comments, foreign extensions and bytes after the end from a GIF. Blocks as in GIF89a.
 *
 * @throws BrokenFile
 */
export async function* stripGif(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const head = await reader.take(13);
  const view = new DataView(head.buffer);
  checkPixels(view.getUint16(6, true), view.getUint16(8, true));
  yield head;
  yield* reader.copy(tableSize(head[10] ?? 0));
  let hasImage = false;
  for (;;) {
    const [block = 0] = await reader.take(1);
    if (block === TRAILER) break;
    if (block === IMAGE) {
      hasImage = true;
      const place = await reader.take(9);
      checkFrame(place);
      yield Uint8Array.of(IMAGE, ...place);
      // The minimum code size follows the table.
      yield* reader.copy(tableSize(place[8] ?? 0) + 1);
      yield* copyBlocks(reader);
    } else if (block === EXTENSION) {
      yield* extension(reader);
    } else {
      throw new BrokenFile("a block of an unknown kind");
    }
  }
  if (!hasImage) throw new BrokenFile("a GIF without a picture");
  yield Uint8Array.of(TRAILER);
}

/** A frame beyond the header's size: viewers reserve memory for the frame. */
function checkFrame(place: Uint8Array): void {
  const view = new DataView(place.buffer, place.byteOffset);
  const [left, top] = [view.getUint16(0, true), view.getUint16(2, true)];
  checkPixels(Math.max(1, left + view.getUint16(4, true)), Math.max(1, top + view.getUint16(6, true)));
}

async function* extension(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const [label = 0] = await reader.take(1);
  if (label === CONTROL) {
    yield Uint8Array.of(EXTENSION, label);
    yield* copyBlocks(reader);
    return;
  }
  if (label === APPLICATION) {
    const [size = 0] = await reader.take(1);
    const name = await reader.take(size);
    if (LOOPS.has(String.fromCharCode(...name))) {
      yield Uint8Array.of(EXTENSION, label, size, ...name);
      yield* copyBlocks(reader);
      return;
    }
    // An empty name already ends the extension.
    if (size === 0) return;
  }
  await skipBlocks(reader);
}

async function* copyBlocks(reader: ByteReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const size = await reader.take(1);
    yield size;
    if (size[0] === 0) return;
    yield* reader.copy(size[0] ?? 0);
  }
}

async function skipBlocks(reader: ByteReader): Promise<void> {
  for (;;) {
    const [size = 0] = await reader.take(1);
    if (size === 0) return;
    await reader.skip(size);
  }
}
