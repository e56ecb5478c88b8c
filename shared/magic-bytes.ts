import type { AttachmentType } from "./attachment.ts";

/** How many of a file's first bytes `attachmentTypeOf` needs. */
export const MAGIC_BYTES = 12;

/** The type that a file's first bytes show; undefined for every type that is not accepted. */
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
