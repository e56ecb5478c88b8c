import { BrokenFile, type ByteReader } from "./byte-reader.ts";

/** How far from its end a PDF says that it ends (ISO 32000, annex H, says 1,024; some writers add more). */
const TAIL = 2048;

/** A PDF as it is, if it has an end. The way it is served stops it from running anything. @throws BrokenFile */
export async function* keepPdf(reader: ByteReader): AsyncGenerator<Uint8Array> {
  let tail = Buffer.alloc(0);
  for await (const chunk of reader.rest()) {
    tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL);
    yield chunk;
  }
  if (!tail.includes("%%EOF")) throw new BrokenFile("a PDF without an end");
}
