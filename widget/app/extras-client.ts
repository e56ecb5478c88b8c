import type * as conversation from "../../shared/api/conversation.ts";
import type { Attachment, AttachmentType, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { attachmentTypeOf } from "../../shared/magic-bytes.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import type { Rating } from "../../shared/rating.ts";
import { type BffClient, readAnswer, request } from "./bff-client.ts";
import { ChatFailure } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import { readAs, record } from "./reader.ts";
import { attachment, id, rating } from "./wire.ts";

type TargetOf<O extends ApiOperation> = Pick<O, "method" | "path">;

const FILES: TargetOf<typeof conversation.uploadAttachment> = {
  method: "POST",
  path: "/api/conversation/attachments",
};
const RATING: TargetOf<typeof conversation.rateConversation> = {
  method: "POST",
  path: "/api/conversation/rating",
};
const CONTENT: TargetOf<typeof conversation.eraseConversation> = {
  method: "DELETE",
  path: "/api/conversation/content",
};
const NAME_HEADER: typeof FILE_NAME_HEADER = "x-file-name";

const readKeptFile = (value: unknown) =>
  readAs(record<{ attachment: Attachment }>({ attachment }), value)?.attachment;
const readRating = (value: unknown) => readAs(record<{ rating: Rating }>({ rating }), value)?.rating;
const readErased = (value: unknown) =>
  readAs(
    record<{ erased: { conversationId: string } }>({
      erased: record<{ conversationId: string }>({ conversationId: id }),
    }),
    value,
  )?.erased;

/** Sends a file and says how far it is, which `fetch` can't. Rejects with a ChatFailure where nothing answered. */
export type Upload = (
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Blob;
    readonly signal: AbortSignal;
    /** From 0 to 1. */
    readonly onProgress: (share: number) => void;
  },
) => Promise<Response>;

export interface FileToKeep {
  /** The key of its idempotency: the same for each retry. */
  readonly key: string;
  readonly file: File;
  /** What its first bytes say. */
  readonly type: AttachmentType;
}

export type ExtrasClient = ReturnType<typeof createExtrasClient>;

/** The calls of what the first open does not need. Each gives what was verified, or throws a ChatFailure. */
export function createExtrasClient(
  { fetch }: Pick<Environment, "fetch">,
  client: Pick<BffClient, "call">,
  upload: Upload,
) {
  return {
    async keep(
      token: string,
      { key, file, type }: FileToKeep,
      signal: AbortSignal,
      onProgress: (share: number) => void,
    ): Promise<Attachment> {
      const headers = {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        "content-type": "application/octet-stream",
        "idempotency-key": key,
        // Half a surrogate pair at the cut can't be encoded.
        [NAME_HEADER]: encodeURIComponent(file.name.slice(0, 80).toWellFormed()),
      };
      const answer = await upload(FILES.path, { headers, body: file, signal, onProgress });
      const kept = await readAnswer(readKeptFile, answer);
      if (kept.type !== type) throw new ChatFailure("not_confirmed");
      return kept;
    },
    /** The bytes of a file, as one of the types that are taken, whatever else the answer says. */
    async read(token: string, { id: fileId, type, size }: Attachment): Promise<Blob> {
      const target = { method: "GET", path: `${FILES.path}/${encodeURIComponent(fileId)}` } as const;
      // No deadline: how long a file of 10 MB takes depends on the network.
      const answer = await request({ fetch }, target, { token, accept: type }, new AbortController().signal);
      const isFile = answer.status === 200 && answer.headers.get("content-type") === type;
      // A problem in place of the file has a code of its own.
      if (!isFile) return readAnswer<never>(() => undefined, answer);
      const bytes = await answer.arrayBuffer();
      // A piece of a file would be saved under the name of the whole, and another thing under that of a picture.
      if (bytes.byteLength !== size || attachmentTypeOf(new Uint8Array(bytes)) !== type)
        throw new ChatFailure("not_confirmed");
      return new Blob([bytes], { type });
    },
    async rate(token: string, body: Rating): Promise<Rating> {
      const taken = await client.call(RATING, readRating, { token, body });
      if (taken.score !== body.score || taken.comment !== body.comment)
        throw new ChatFailure("not_confirmed");
      return taken;
    },
    async erase(token: string, conversationId: string): Promise<void> {
      const erased = await client.call(CONTENT, readErased, { token });
      if (erased.conversationId !== conversationId) throw new ChatFailure("not_confirmed");
    },
  };
}
