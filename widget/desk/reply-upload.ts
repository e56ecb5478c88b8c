import { type Attachment, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { DESK_API, uploadFile } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { encodedName, typeOf } from "../client/file-to-send.ts";
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
    const type = await typeOf(file, (code) => new Failure(code));
    const params = { id };
    const headers = {
      "content-type": "application/octet-stream",
      "idempotency-key": key,
      [FILE_NAME_HEADER]: encodedName(file),
    };
    const through = (path: string, init: RequestInit) => {
      const given = Object.fromEntries(new Headers(init.headers));
      return upload(DESK_API + path, { headers: given, body: file, signal, onProgress });
    };
    const response = await send(uploadFile, { params, headers }, through);
    const { attachment, received } = await readVerified(uploadFile, { params, request: {} }, response);
    if (attachment.type !== type || received.size !== file.size) throw new Failure("not_confirmed");
    const { conversationId: _, ...stored } = attachment;
    return stored;
  };
}
