import { BrokenFile, type ByteReader } from "./byte-reader.ts";
import { checkPixels } from "./pixels.ts";

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const EXIF = 0xe1;
/** Each scan makes the viewer go over the whole picture again, for a few bytes. Progressive pictures have about ten. */
const MAX_SCANS = 200;
/** Frame headers: 0xC0 to 0xCF except the tables among them. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * Removes a JPEG's metadata. Only those application segments stay that its colours need
 * (JFIF, the colour profile, Adobe's transform), and of Exif the orientation. Comments, locations, thumbnails and bytes
 * after the end are removed. Segments as in ITU-T T.81, annex B.
 *
 * @throws BrokenFile
 */
export async function* stripJpeg(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const start = await reader.take(2);
  if (start[0] !== 0xff || start[1] !== START) throw new BrokenFile("no JPEG");
  yield start;
  let hasFrame = false;
  let scans = 0;
  let turned = false;
  let marker = await readMarker(reader);
  for (;;) {
    if (marker === END) break;
    if (marker < 0xc0 || marker === START || (marker >= 0xd0 && marker <= 0xd7)) {
      throw new BrokenFile("a marker out of place");
    }
    const [high = 0, low = 0] = await reader.take(2);
    const size = high * 256 + low;
    if (size < 2) throw new BrokenFile("a segment without a size");
    const segment = await reader.take(size - 2);
    if (isFrame(marker)) {
      hasFrame = true;
      const [, h1 = 0, h2 = 0, w1 = 0, w2 = 0] = segment;
      checkPixels(w1 * 256 + w2, h1 * 256 + h2);
    }
    if (isKept(marker, segment)) yield joined(marker, segment);
    const way = marker === EXIF && !turned ? orientationOf(segment) : undefined;
    if (way !== undefined) {
      turned = true;
      yield joined(EXIF, orientationSegment(way));
    }
    if (marker === SCAN) {
      scans += 1;
      if (scans > MAX_SCANS) throw new BrokenFile("a JPEG of too many scans");
      marker = yield* reader.copyScan();
    } else {
      marker = await readMarker(reader);
    }
  }
  if (!hasFrame || scans === 0) throw new BrokenFile("a JPEG without a picture");
  yield Uint8Array.of(0xff, END);
}

async function readMarker(reader: ByteReader): Promise<number> {
  const [first = 0] = await reader.take(1);
  if (first !== 0xff) throw new BrokenFile("no marker where one must be");
  let [marker = 0xff] = await reader.take(1);
  while (marker === 0xff) [marker = 0xff] = await reader.take(1);
  return marker;
}

function isKept(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xe0) return begins(segment, "JFIF\0") && segment.length === 14;
  if (marker === 0xe2) return begins(segment, "ICC_PROFILE\0");
  if (marker === 0xee) return begins(segment, "Adobe") && segment.length === 12;
  // Application segments, the reserved ones and comments.
  return marker < 0xe0;
}

function begins(segment: Uint8Array, word: string): boolean {
  return Array.from(word).every((character, index) => segment[index] === character.charCodeAt(0));
}

function joined(marker: number, segment: Uint8Array): Uint8Array {
  const size = segment.length + 2;
  const whole = new Uint8Array(size + 2);
  whole.set([0xff, marker, size >> 8, size & 0xff]);
  whole.set(segment, 4);
  return whole;
}

/** The camera's orientation (2 to 8; 1 is upright), from the first directory of an Exif segment. */
function orientationOf(segment: Uint8Array): number | undefined {
  if (!begins(segment, "Exif\0\0") || segment.length < 14) return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > view.byteLength) return undefined;
  const count = view.getUint16(directory, little);
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > view.byteLength) return undefined;
    if (view.getUint16(at, little) !== 0x0112) continue;
    const way = view.getUint16(at + 8, little);
    return way >= 2 && way <= 8 ? way : undefined;
  }
  return undefined;
}

/** An Exif segment with the orientation and nothing else. */
function orientationSegment(way: number): Uint8Array {
  const header = [0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1];
  return Uint8Array.from([...header, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, way, 0, 0, 0, 0, 0, 0]);
}
