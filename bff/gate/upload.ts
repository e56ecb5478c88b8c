import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { attachmentTypeOf, MAGIC_BYTES } from "../../shared/magic-bytes.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import type { FileUpload } from "../upstream/files.ts";

const MAX_NAME = 1000;

/**
 * Checks the headers and the first bytes of a file. The rest is never stored here.
 * @throws Failure bad_request, file_too_large, file_not_allowed, unsupported_media_type
 */
export async function readUpload(request: Request): Promise<FileUpload> {
  const { headers, body } = request;
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw new Failure("unsupported_media_type");
  const key = Id.safeParse(headers.get("idempotency-key"));
  if (!key.success) {
    throw new Failure("bad_request", { detail: "Idempotency-Key: must be an id created for this file." });
  }
  const announced = headers.get("content-length");
  if (announced !== null && !(Number(announced) <= MAX_ATTACHMENT_BYTES)) throw new Failure("file_too_large");
  const fileName = nameOf(headers.get(FILE_NAME_HEADER) ?? "");
  const chunks = limited(body);
  const first = await readFirst(chunks);
  if (!attachmentTypeOf(Buffer.concat(first))) throw new Failure("file_not_allowed");
  const size = announced === null ? undefined : Number(announced);
  const bytes = (async function* () {
    yield* first;
    yield* chunks;
  })();
  return { fileName, key: key.data, size, bytes };
}

/** Reads a refused file to its end, in pieces: its sender gets the answer, and others are answered meanwhile. */
export async function dropUpload({ body }: Request): Promise<void> {
  const chunks = limited(body);
  try {
    while (!(await chunks.next()).done);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Decodes and re-encodes the name, so that no raw byte of the client's header is passed on. */
function nameOf(given: string): string {
  try {
    const name = encodeURIComponent(decodeURIComponent(given).toWellFormed());
    if (name.length <= MAX_NAME) return name;
  } catch {
    // Not valid percent-encoding: refused below.
  }
  throw new Failure("bad_request", { detail: "X-File-Name: must be UTF-8, percent-encoded, and short." });
}

async function* limited(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  let size = 0;
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
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

async function readFirst(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array[]> {
  const first: Uint8Array[] = [];
  for (let size = 0; size < MAGIC_BYTES; ) {
    const next = await chunks.next();
    if (next.done) break;
    first.push(next.value);
    size += next.value.byteLength;
  }
  return first;
}
