/** Small valid files of each kind, each with metadata of its maker that must not be stored: the word below. */
export const SECRET = "SecretPlace";

const bytes = (...parts: (string | readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const le32 = (value: number) => u32(value).reverse();

const chunk = (type: string, data: Uint8Array) => bytes(u32(data.length), type, data, u32(0));
export function png(width = 2, height = 2, behind = ""): Uint8Array<ArrayBuffer> {
  return bytes(
    "\x89PNG\r\n\x1a\n",
    chunk("IHDR", bytes(u32(width), u32(height), [8, 6, 0, 0, 0])),
    chunk("tEXt", bytes(`Comment\0${SECRET}`)),
    chunk("eXIf", bytes(SECRET)),
    chunk("IDAT", bytes([1, 2, 3, 4])),
    chunk("IEND", bytes()),
    behind,
  );
}

const segment = (marker: number, data: Uint8Array) => bytes([0xff, marker], u16(data.length + 2), data);
/** `way` is Exif's orientation. */
export function jpeg({ width = 2, height = 2, way = 6, behind = "" } = {}): Uint8Array<ArrayBuffer> {
  const tiff = bytes("II*\0", le32(8), [1, 0], [0x12, 0x01, 3, 0, 1, 0, 0, 0, way, 0, 0, 0], le32(0), SECRET);
  return bytes(
    [0xff, 0xd8],
    segment(0xe0, bytes("JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0])),
    segment(0xe1, bytes("Exif\0\0", tiff)),
    segment(0xe1, bytes(`http://ns.adobe.com/xap/1.0/\0<x>${SECRET}</x>`)),
    segment(0xe2, bytes("ICC_PROFILE\0", [1, 1], "profile")),
    segment(0xed, bytes(`Photoshop 3.0\0${SECRET}`)),
    segment(0xfe, bytes(SECRET)),
    segment(
      0xdb,
      bytes(
        [0],
        Array.from({ length: 64 }, () => 1),
      ),
    ),
    segment(0xc0, bytes([8], u16(height), u16(width), [1, 1, 0x11, 0])),
    segment(0xda, bytes([1, 1, 0, 0, 63, 0])),
    [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xff, 0xd9],
    behind,
  );
}

export function gif(behind = ""): Uint8Array<ArrayBuffer> {
  return bytes(
    "GIF89a",
    [2, 0, 2, 0, 0x80, 0, 0],
    [0, 0, 0, 255, 255, 255],
    [0x21, 0xff, 11],
    "NETSCAPE2.0",
    [3, 1, 0, 0, 0],
    [0x21, 0xfe, SECRET.length],
    SECRET,
    [0],
    [0x21, 0xff, 11],
    "XMP DataXMP",
    [SECRET.length],
    SECRET,
    [0],
    [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    [0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x4c, 0x01, 0],
    [0x3b],
    behind,
  );
}

export function webp(behind = ""): Uint8Array<ArrayBuffer> {
  const part = (type: string, data: Uint8Array) =>
    bytes(type, le32(data.length), data, data.length % 2 === 0 ? [] : [0]);
  const body = bytes(
    "WEBP",
    part("VP8X", bytes([0x0c, 0, 0, 0, 1, 0, 0, 1, 0, 0])),
    part("VP8L", bytes([0x2f, 1, 0x40, 0, 0, 9, 9])),
    part("EXIF", bytes(SECRET)),
    part("XMP ", bytes(SECRET)),
  );
  return bytes("RIFF", le32(body.length), body, behind);
}

export function pdf(): Uint8Array<ArrayBuffer> {
  return bytes("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");
}

/** The same bytes in pieces of this size. */
export async function* inPieces(file: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}
