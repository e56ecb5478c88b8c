import type { AttachmentType } from "../../shared/attachment.ts";
import { detectType } from "../../shared/server/file-upload.ts";
import { BrokenFile, type ByteReader, createByteReader } from "./byte-reader.ts";
import { keepPdf } from "./keep-pdf.ts";
import { stripGif } from "./strip-gif.ts";
import { stripJpeg } from "./strip-jpeg.ts";
import { stripPng } from "./strip-png.ts";
import { stripWebp } from "./strip-webp.ts";

const STRIP: Readonly<Record<AttachmentType, (reader: ByteReader) => AsyncGenerator<Uint8Array>>> = {
  "image/png": stripPng,
  "image/jpeg": stripJpeg,
  "image/gif": stripGif,
  "image/webp": stripWebp,
  "application/pdf": keepPdf,
};

/** Each piece costs a write and a turn of the event loop, and a GIF has blocks of at most 255 bytes. */
const PIECE_BYTES = 65_536;
/** Gathering more of them would take the event loop for longer than some milliseconds. */
const MOST_GATHERED = 1_000;

export interface Stripped {
  readonly type: AttachmentType;
  /** Yields the bytes to store. Throws BrokenFile if the file is incomplete; reads the source to its end. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Detects a file's type by its first bytes, and returns the bytes that may be stored. Nothing is decoded, so processing
 * a picture never costs more than its bytes.
 *
 * @throws BrokenFile for anything but the five accepted types
 */
export async function stripFile(source: AsyncIterable<Uint8Array>): Promise<Stripped> {
  const { type, bytes } = await detectType(source);
  if (!type) throw new BrokenFile("none of the types that are taken");
  const reader = createByteReader(bytes);
  return { type, bytes: toTheEnd(reader, STRIP[type](reader)) };
}

/** Bytes after a file's end are dropped, but read: they count as received. */
async function* toTheEnd(reader: ByteReader, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    gathered.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES && gathered.length < MOST_GATHERED) continue;
    yield Buffer.concat(gathered, size);
    [gathered, size] = [[], 0];
  }
  yield Buffer.concat(gathered, size);
  for await (const _ of reader.rest());
}
