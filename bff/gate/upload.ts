import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { detectType, readFileHeaders } from "../../shared/server/file-upload.ts";
import type { FileUpload } from "../upstream/files.ts";

/**
 * Checks the headers and the first bytes of a file. The rest is never stored here.
 * @throws Failure bad_request, file_too_large, file_not_allowed, unsupported_media_type
 */
export async function readUpload(headers: Headers, chunks: AsyncIterable<Uint8Array>): Promise<FileUpload> {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw new Failure("unsupported_media_type");
  const key = Id.safeParse(headers.get("idempotency-key"));
  if (!key.success) {
    throw new Failure("bad_request", { detail: "Idempotency-Key: must be an id created for this file." });
  }
  const { name, size } = readFileHeaders(headers);
  const { type, bytes } = await detectType(chunks);
  if (!type) throw new Failure("file_not_allowed");
  // Encoded again, so that no raw byte of the client's header is passed on.
  return { fileName: encodeURIComponent(name), key: key.data, size, bytes };
}
