import * as z from "zod/mini";
import { Id } from "./id.ts";
import { MAX_ATTACHMENT_BYTES } from "./limits.ts";
import { lineText } from "./text.ts";

/** What a customer may send: pictures and PDF, told by their first bytes and by nothing else (R41). */
export const AttachmentType = z.enum([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);
export type AttachmentType = z.infer<typeof AttachmentType>;

/** Longest file name that is kept, in code points. */
export const MAX_FILE_NAME = 120;

/** A file of a conversation as the service keeps it: its cleaned name, the type of its bytes, their number. */
export const Attachment = z.object({
  id: Id,
  name: lineText(MAX_FILE_NAME),
  type: AttachmentType,
  size: z.int().check(z.positive(), z.lte(MAX_ATTACHMENT_BYTES)),
});
export type Attachment = z.infer<typeof Attachment>;

/** Header that carries a file's name: UTF-8, percent-encoded as `encodeURIComponent` does. */
export const FILE_NAME_HEADER = "x-file-name";

/** How many of a file's first bytes `attachmentTypeOf` needs. */
export const MAGIC_BYTES = 12;

/** The type that a file's first bytes say it is; undefined for everything that is not taken (R41). */
export function attachmentTypeOf(first: Uint8Array): AttachmentType | undefined {
  const says = (at: number, text: string) =>
    Array.from(text).every((character, index) => first[at + index] === character.charCodeAt(0));
  if (says(0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (says(0, "\xff\xd8\xff")) return "image/jpeg";
  if (says(0, "GIF87a") || says(0, "GIF89a")) return "image/gif";
  if (says(0, "RIFF") && says(8, "WEBP")) return "image/webp";
  if (says(0, "%PDF-")) return "application/pdf";
  return undefined;
}
