import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { chunksOf, detectType, readFileHeaders } from "../../shared/server/file-upload.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import type { FileUpload } from "../upstream/files.ts";

/**
 * Checks the headers and the first bytes of a file. The rest is never stored here.
 * @throws Failure bad_request, file_too_large, file_not_allowed, unsupported_media_type
 */
export async function readUpload({ headers, body }: Request): Promise<FileUpload> {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw new Failure("unsupported_media_type");
  const key = Id.safeParse(headers.get("idempotency-key"));
  if (!key.success) {
    throw new Failure("bad_request", { detail: "Idempotency-Key: must be an id created for this file." });
  }
  const { name, size } = readFileHeaders(headers);
  const { type, bytes } = await detectType(limited(body));
  if (!type) throw new Failure("file_not_allowed");
  // Encoded again, so that no raw byte of the client's header is passed on.
  return { fileName: encodeURIComponent(name), key: key.data, size, bytes };
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

async function* limited(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!body) return;
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength;
    if (size > MAX_ATTACHMENT_BYTES) throw new Failure("file_too_large");
    await loopTurn();
    yield chunk;
  }
}
