import * as z from "zod/mini";
import { Attachment, AttachmentType } from "../attachment.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at, nothingToEcho } from "./echo.ts";
import { CALL, FILE } from "./limits.ts";

/**
 * Stores a file for a message of this conversation. The body is the raw file, `X-File-Name` its name, and
 * `Idempotency-Key` makes repeated uploads take effect once. The answer comes once the file is on disk. `received`
 * describes the bytes that arrived, before anything was stripped, so that a caller can verify that all of them did.
 */
export const attachments = v1({
  id: "attachments",
  method: "POST",
  path: "/v1/support/conversations/:id/attachments",
  auth: "session",
  summary: "Store a file for a message",
  needs: "attachments",
  headers: ["X-File-Name", "Idempotency-Key"],
  upload: true,
  answer: z.object({
    attachment: z.object({ ...Attachment.shape, conversationId: Id }),
    received: z.object({
      size: z.int().check(z.positive()),
      /** In hexadecimal. */
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
  }),
  echo: ({ params, upload }, answer) =>
    upload !== undefined &&
    at(answer, "attachment", "conversationId") === params.id &&
    at(answer, "received", "size") === upload.size &&
    at(answer, "received", "sha256") === upload.sha256,
  status: 201,
  // A caller streams the file from its own client, so it has nothing to send a second time.
  retry: "never",
  refusals: [
    "conversation_ended",
    "file_not_allowed",
    "file_too_large",
    "in_flight",
    "key_reused",
    "too_many_files",
  ],
  limits: FILE,
});

/** The bytes of a file, always as a download: never a page, never a script. */
export const attachmentContent = v1({
  id: "attachmentContent",
  method: "GET",
  path: "/v1/support/conversations/:id/attachments/:attachmentId",
  auth: "session",
  summary: "Read a file of a conversation",
  needs: "attachments",
  answer: z.unknown(),
  stream: { accept: "*/*", mediaTypes: AttachmentType.options, statuses: [200] },
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});
