import * as z from "zod/mini";
import { Id } from "./id.ts";
import { MAX_ATTACHMENT_BYTES } from "./limits.ts";
import { lineText } from "./text.ts";

/** The types of files that a customer may send: pictures and PDF, recognised only by their first bytes. */
export const AttachmentType = z.enum([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);
export type AttachmentType = z.infer<typeof AttachmentType>;

/** Longest file name that is stored, in code points. */
export const MAX_FILE_NAME = 120;

/** A file of a conversation as the service stores it: its cleaned name, the type detected from its bytes, its size. */
export const Attachment = z.object({
  id: Id,
  name: lineText(MAX_FILE_NAME),
  type: AttachmentType,
  size: z.int().check(z.positive(), z.lte(MAX_ATTACHMENT_BYTES)),
});
export type Attachment = z.infer<typeof Attachment>;

/** Header that carries a file's name: UTF-8, percent-encoded as `encodeURIComponent` does. */
export const FILE_NAME_HEADER = "x-file-name";
