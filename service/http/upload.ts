import type { Context } from "hono";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import type { NewFile } from "../store/attach.ts";
import { readKey } from "./idempotency-key.ts";

/** Longest file name as the header carries it. */
export const MAX_NAME_BYTES = 1000;

/**
 * Reads a file from the body of a request, and stores it by `store`.
 *
 * @throws Failure `bad_request`, `file_not_allowed`, `file_too_large`, and what `store` throws
 */
export async function takeUpload<Stored>(
  c: Context,
  store: (file: NewFile) => Promise<Stored>,
): Promise<Stored> {
  const idempotencyKey = readKey(c);
  const name = readName(c);
  const announced = c.req.header("content-length");
  const { body } = c.req.raw;
  if (announced !== undefined && !(Number(announced) <= MAX_ATTACHMENT_BYTES)) throw tooLarge(c);
  if (!body) throw new Failure("file_not_allowed");
  try {
    return await store({ name, bytes: chunksOf(body), idempotencyKey });
  } catch (error) {
    throw error instanceof Failure && error.code === "file_too_large" ? tooLarge(c) : error;
  }
}

/** @throws Failure `bad_request` */
function readName(c: Context): string {
  const given = c.req.header(FILE_NAME_HEADER) ?? "";
  try {
    if (given.length <= MAX_NAME_BYTES) return decodeURIComponent(given);
  } catch {
    // Falls through: what can't be decoded is not a name.
  }
  throw new Failure("bad_request", {
    detail: "X-File-Name: must be UTF-8, percent-encoded, of 1,000 bytes at most.",
  });
}

/** A body that breaks off is the sender's fault, not ours. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (cause) {
    throw new Failure("bad_request", { detail: "The upload was interrupted.", cause });
  }
}

function tooLarge(c: Context): Failure {
  // The rest of the body is not read, so the connection can't serve another request.
  c.header("connection", "close");
  return new Failure("file_too_large");
}
