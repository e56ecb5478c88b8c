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
  yield* bytes;
  for await (const _ of reader.rest());
}
