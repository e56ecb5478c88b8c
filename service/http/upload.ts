import type { Context } from "hono";
import { Failure } from "../../shared/errors.ts";
import { readFileHeaders, receiveFile } from "../../shared/server/file-upload.ts";
import type { NewFile } from "../store/attach.ts";
import { readKey } from "./idempotency-key.ts";

/**
 * Reads a file from the body of a request, and stores it by `store`.
 *
 * @throws Failure `bad_request`, `file_not_allowed`, `file_too_large`, and what `store` throws
 */
export async function takeUpload<Stored>(
  c: Context,
  store: (file: NewFile) => Promise<Stored>,
): Promise<Stored> {
  const { headers, body } = c.req.raw;
  try {
    return await receiveFile(body, (bytes) => {
      const idempotencyKey = readKey(c);
      const { name } = readFileHeaders(headers);
      return store({ name, bytes, idempotencyKey });
    });
  } catch (error) {
    // The rest of the body is not read, so the connection can't serve another request.
    if (error instanceof Failure && error.code === "file_too_large") c.header("connection", "close");
    throw error;
  }
}
