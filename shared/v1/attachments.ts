import * as z from "zod/mini";
import { Attachment } from "../attachment.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";

/**
 * Keeps a file for a message of this conversation. The body is the file as it is, `X-File-Name` its name,
 * `Idempotency-Key` makes a repeated upload one. The answer is given once the file is on disk; `received` is what came,
 * before anything was taken out of it, so that a caller can tell that all of it did.
 */
export const attachments = v1({
  id: "attachments",
  method: "POST",
  path: "/v1/support/conversations/:id/attachments",
  auth: "session",
  upload: true,
  answer: z.object({
    attachment: z.object({ ...Attachment.shape, conversationId: Id }),
    received: z.object({
      size: z.int().check(z.positive()),
      /** In hexadecimal. */
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
  }),
  summary: "Keep a file for a message",
});

/** The bytes of a file, always as a download: never a page, never a script. */
export const attachmentContent = v1({
  id: "attachmentContent",
  method: "GET",
  path: "/v1/support/conversations/:id/attachments/:attachmentId",
  auth: "session",
  download: true,
  answer: z.unknown(),
  summary: "Read a file of a conversation",
});
