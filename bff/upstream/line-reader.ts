import { Failure } from "../../shared/errors.ts";

export interface LineLimits {
  /** Longest line, in bytes, without its end. */
  readonly lineBytes: number;
  /** All of it, in bytes. */
  readonly totalBytes: number;
}

const LF = 0x0a;

/**
 * Reads a body line by line, as UTF-8. Empty lines are skipped and CR before LF is dropped. A last line without LF counts
 * only when the body itself ended well.
 *
 * @throws Failure not_confirmed beyond a limit or on bytes that are not UTF-8; whatever the body throws when the connection breaks
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  limits: LineLimits,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pieces: Uint8Array[] = [];
  let lineBytes = 0;
  let totalBytes = 0;

  const add = (piece: Uint8Array) => {
    lineBytes += piece.byteLength;
    if (lineBytes > limits.lineBytes) throw tooLarge("a line");
    pieces.push(piece);
  };
  const take = (): string => {
    const line = decode(decoder, Buffer.concat(pieces, lineBytes));
    pieces = [];
    lineBytes = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };

  for await (const chunk of body) {
    totalBytes += chunk.byteLength;
    if (totalBytes > limits.totalBytes) throw tooLarge("the stream");
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      const line = take();
      if (line !== "") yield line;
    }
    // A copy: the source may reuse the chunk's buffer.
    if (from < chunk.byteLength) add(chunk.slice(from));
  }
  const rest = take();
  if (rest !== "") yield rest;
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Failure("not_confirmed", { cause: "bytes that are no UTF-8" });
  }
}

function tooLarge(what: string): Failure {
  return new Failure("not_confirmed", { cause: `${what} is larger than its limit` });
}
