import type { Context } from "hono";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { attachmentContent, attachments } from "../../shared/v1/attachments.ts";
import { fileAnswer } from "../http/file-answer.ts";
import { readKey } from "../http/idempotency-key.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

const MAX_NAME_BYTES = 1000;

/** Files of a conversation: stored as they arrive, and returned only to their customer. */
export function addAttachmentRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(attachments, async ({ c, caller, id }) => {
    const idempotencyKey = readKey(c);
    const name = readName(c);
    const announced = c.req.header("content-length");
    const { body } = c.req.raw;
    if (announced !== undefined && !(Number(announced) <= MAX_ATTACHMENT_BYTES)) throw tooLarge(c);
    if (!body) throw new Failure("file_not_allowed");
    try {
      const kept = await store.attachments.add(caller, id, { name, bytes: chunksOf(body), idempotencyKey });
      return c.json(kept, 201);
    } catch (error) {
      throw error instanceof Failure && error.code === "file_too_large" ? tooLarge(c) : error;
    }
  });

  mount(attachmentContent, async ({ c, caller, id }) => {
    const attachmentId = Id.safeParse(c.req.param("attachmentId"));
    if (!attachmentId.success) throw new Failure("not_found");
    return fileAnswer(c, await store.attachments.open(caller, id, attachmentId.data));
  });
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
