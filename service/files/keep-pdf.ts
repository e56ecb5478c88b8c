import { BrokenFile, type ByteReader } from "./byte-reader.ts";

/** How far from its end a PDF may have its end marker (ISO 32000, annex H, says 1,024; some writers add more). */
const TAIL = 2048;

/**
 * Passes a PDF on unchanged if it has an end marker. The headers of its download stop it from running anything. @throws
 * BrokenFile
 */
export async function* keepPdf(reader: ByteReader): AsyncGenerator<Uint8Array> {
  let tail = Buffer.alloc(0);
  for await (const chunk of reader.rest()) {
    tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL);
    yield chunk;
  }
  if (!tail.includes("%%EOF")) throw new BrokenFile("a PDF without an end");
}
