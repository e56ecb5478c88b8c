import { type Attachment, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { DESK_API, uploadFile } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { attachmentTypeOf, MAGIC_BYTES } from "../../shared/magic-bytes.ts";
import type { Upload } from "../client/xhr-upload.ts";
import type { DeskCalls } from "./desk-calls.ts";

/** Stores files for replies. `upload` sends a file, which `fetch` can't report the progress of. */
export function createReplyUpload({ send, readVerified }: DeskCalls, upload: Upload) {
  /** `key` is the same for each retry. It has no deadline: that depends on the network. */
  return async (
    id: string,
    { key, file }: { readonly key: string; readonly file: File },
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<Attachment> => {
    const type = await typeOf(file);
    const params = { id };
    const headers = {
      "content-type": "application/octet-stream",
      "idempotency-key": key,
      // Half a surrogate pair at the cut can't be encoded.
      [FILE_NAME_HEADER]: encodeURIComponent(file.name.slice(0, 80).toWellFormed()),
    };
    const through = (path: string, init: RequestInit) => {
      const given = Object.fromEntries(new Headers(init.headers));
      return upload(DESK_API + path, { headers: given, body: file, signal, onProgress });
    };
    const response = await send(uploadFile, params, { headers }, "", through);
    const { attachment, received } = await readVerified(uploadFile, { params, request: {} }, response);
    if (attachment.type !== type || received.size !== file.size) throw new Failure("not_confirmed");
    const { conversationId: _, ...stored } = attachment;
    return stored;
  };
}

/** The file's type by its first bytes. @throws Failure before a byte is sent, for a file that is not accepted */
async function typeOf(file: File) {
  if (file.size > MAX_ATTACHMENT_BYTES) throw new Failure("file_too_large");
  const first = await file
    .slice(0, MAGIC_BYTES)
    .arrayBuffer()
    // A folder, or a file that no longer exists.
    .catch(() => new ArrayBuffer(0));
  const type = attachmentTypeOf(new Uint8Array(first));
  if (!type) throw new Failure("file_not_allowed");
  return type;
}
