import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { attachmentContent, attachments } from "../../shared/v1/attachments.ts";
import { fileAnswer } from "../http/file-answer.ts";
import type { Mount } from "../http/operation-route.ts";
import { takeUpload } from "../http/upload.ts";
import type { RouteDeps } from "./route-deps.ts";

/** Files of a conversation: stored as they arrive, and returned only to their customer. */
export function addAttachmentRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(attachments, async ({ c, caller, id }) => {
    const stored = await takeUpload(c, (file) => store.attachments.add(caller, id, file));
    return c.json(stored, 201);
  });

  mount(attachmentContent, async ({ c, caller, id }) => {
    const attachmentId = Id.safeParse(c.req.param("attachmentId"));
    if (!attachmentId.success) throw new Failure("not_found");
    return fileAnswer(c, await store.attachments.open(caller, id, attachmentId.data));
  });
}
