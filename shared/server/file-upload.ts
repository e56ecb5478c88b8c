import { type AttachmentType, FILE_NAME_HEADER } from "../attachment.ts";
import { Failure } from "../errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../limits.ts";
import { attachmentTypeOf, MAGIC_BYTES } from "../magic-bytes.ts";
import { loopTurn } from "./loop-turn.ts";

/** Longest file name as the header carries it. */
export const MAX_NAME_BYTES = 1000;

/**
 * Reads the name of a file and the size that it announces, which is undefined without an announcement.
 * @throws Failure `bad_request`, `file_too_large`
 */
export function readFileHeaders(headers: Headers): {
  readonly name: string;
  readonly size: number | undefined;
} {
  const announced = headers.get("content-length");
  const size = announced === null ? undefined : Number(announced);
  if (size !== undefined && !(size <= MAX_ATTACHMENT_BYTES)) throw new Failure("file_too_large");
  return { name: readName(headers.get(FILE_NAME_HEADER) ?? ""), size };
}

function readName(given: string): string {
  try {
    const name = decodeURIComponent(given);
    // Bytes that arrived unencoded are sent on encoded, and so become longer.
    if (Math.max(given.length, encodeURIComponent(name).length) <= MAX_NAME_BYTES) return name;
  } catch {
    // Not valid percent-encoding: refused below.
  }
  throw new Failure("bad_request", {
    detail: "X-File-Name: must be UTF-8, percent-encoded, of 1,000 bytes at most.",
  });
}

/**
 * Runs `take` with the chunks of a file as they arrive. If it refuses the file, the rest is read and dropped: otherwise
 * the connection would end before the sender has the answer. The rest of a file that is too large is not read.
 *
 * @throws Failure `bad_request` when the file breaks off, which is the sender's fault and not ours; `file_too_large`; and
 *   what `take` throws
 */
export async function receiveFile<T>(
  body: ReadableStream<Uint8Array> | null,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const chunks = chunksOf(body);
  // It has no `return`, so a `take` that stops early does not close the source, whose rest is read below.
  const next = () => chunks.next();
  try {
    return await take({ [Symbol.asyncIterator]: () => ({ next }) });
  } catch (error) {
    const isTooLarge = error instanceof Failure && error.code === "file_too_large";
    if (!isTooLarge) await drop(chunks).catch(() => undefined);
    throw error;
  }
}

async function drop(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await chunks.next()).done);
}

/** Lets other requests run between the chunks. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const chunks = body[Symbol.asyncIterator]();
  for (let size = 0; ; ) {
    const next = await chunks.next().catch((cause: unknown) => {
      throw new Failure("bad_request", { detail: "The upload was interrupted.", cause });
    });
    if (next.done) return;
    size += next.value.byteLength;
    if (size > MAX_ATTACHMENT_BYTES) throw new Failure("file_too_large");
    await loopTurn();
    yield next.value;
  }
}

/** Detects a file's type by its first bytes; undefined for a type that is not accepted. `bytes` are all of its bytes. */
export async function detectType(source: AsyncIterable<Uint8Array>): Promise<{
  readonly type: AttachmentType | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let size = 0; size < MAGIC_BYTES; ) {
    const next = await chunks.next();
    if (next.done) break;
    first.push(next.value);
    size += next.value.byteLength;
  }
  return { type: attachmentTypeOf(Buffer.concat(first)), bytes: again(first, chunks) };
}

async function* again(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
