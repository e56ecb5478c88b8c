import { loopTurn } from "../../shared/server/loop-turn.ts";

/**
 * The largest usual GIF has half as many: blocks of 255 bytes in some thousand frames. Each part takes microseconds,
 * whatever its size, in which all requests wait: 10 MB of tiny ones took half a minute.
 */
const MOST_PARTS = 250_000;
/** After this many parts other requests run. */
const PARTS_OF_A_TURN = 500;

/** The file is incomplete or malformed. It is refused, never repaired. */
export class BrokenFile extends Error {
  override readonly name = "BrokenFile";
}

/**
 * Reads a stream of bytes in pieces of any size; holds one chunk of it at a time. Each call reads one part.
 *
 * @throws BrokenFile for a file of too many parts
 */
export interface ByteReader {
  /** Returns exactly this many bytes. @throws BrokenFile where the stream ends before */
  take(count: number): Promise<Uint8Array>;
  /** Passes this many bytes on as they arrive. @throws BrokenFile as `take` */
  copy(count: number): AsyncGenerator<Uint8Array>;
  /** Skips this many bytes. @throws BrokenFile as `take` */
  skip(count: number): Promise<void>;
  /**
   * Passes on the coded part of a JPEG scan up to the marker that ends it, and returns that marker. @throws BrokenFile
   */
  copyScan(): AsyncGenerator<Uint8Array, number>;
  /** Passes on all remaining bytes. */
  rest(): AsyncGenerator<Uint8Array>;
}

const NOTHING = new Uint8Array();
/** Inside a scan, 0xFF is data before 0x00 and before the eight restart markers. */
const isScanByte = (byte: number) => byte === 0 || (byte >= 0xd0 && byte <= 0xd7);

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let chunk: Uint8Array = NOTHING;
  let at = 0;
  let parts = 0;

  async function beginPart(): Promise<void> {
    parts += 1;
    if (parts > MOST_PARTS) throw new BrokenFile("a file of too many parts");
    if (parts % PARTS_OF_A_TURN === 0) await loopTurn();
  }
  /** Whether there is at least one more byte. */
  async function more(): Promise<boolean> {
    while (at >= chunk.length) {
      const next = await chunks.next();
      if (next.done) return false;
      chunk = next.value;
      at = 0;
    }
    return true;
  }
  async function need(): Promise<void> {
    if (!(await more())) throw new BrokenFile("the file ends too early");
  }
  function cut(most: number): Uint8Array {
    const part = chunk.subarray(at, at + most);
    at += part.length;
    return part;
  }

  return {
    async take(count) {
      await beginPart();
      const taken = new Uint8Array(count);
      for (let filled = 0; filled < count; ) {
        await need();
        const part = cut(count - filled);
        taken.set(part, filled);
        filled += part.length;
      }
      return taken;
    },
    async *copy(count) {
      await beginPart();
      for (let left = count; left > 0; ) {
        await need();
        const part = cut(left);
        left -= part.length;
        yield part;
      }
    },
    async skip(count) {
      await beginPart();
      for (let left = count; left > 0; ) {
        await need();
        left -= cut(left).length;
      }
    },
    async *copyScan() {
      for (;;) {
        await need();
        const end = endOfScan(chunk, at);
        if (end > at) yield cut(end - at);
        if (at >= chunk.length) continue;
        // 0xFF: the next byte may be in the next chunk, after more 0xFF as padding.
        at += 1;
        let byte = 0xff;
        while (byte === 0xff) {
          await beginPart();
          await need();
          byte = chunk[at] ?? 0;
          at += 1;
        }
        if (!isScanByte(byte)) return byte;
        yield Uint8Array.of(0xff, byte);
      }
    },
    async *rest() {
      while (await more()) yield cut(chunk.length);
    },
  };
}

/** The position of the first 0xFF in this chunk that may begin a marker; the chunk's end if there is none. */
function endOfScan(chunk: Uint8Array, from: number): number {
  let end = chunk.indexOf(0xff, from);
  while (end >= 0) {
    const after = chunk[end + 1];
    if (after === undefined || !isScanByte(after)) return end;
    end = chunk.indexOf(0xff, end + 2);
  }
  return chunk.length;
}
