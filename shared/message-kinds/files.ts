import * as z from "zod/mini";
import { Attachment } from "../attachment.ts";
import { MAX_ATTACHMENTS } from "../limits.ts";

/** Files that came with a message; its body may then be empty. */
export const Files = z.array(Attachment).check(z.maxLength(MAX_ATTACHMENTS));
export type Files = z.infer<typeof Files>;
