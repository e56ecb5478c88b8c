import type { AttachmentType } from "../../shared/attachment.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { attachmentTypeOf, MAGIC_BYTES } from "../../shared/magic-bytes.ts";

/**
 * The file's type by its first bytes. Throws the failure that `refuse` makes of a code, before a byte is sent, for a file
 * that is not accepted.
 */
export async function typeOf(
  file: File,
  refuse: (code: "file_too_large" | "file_not_allowed") => Error,
): Promise<AttachmentType> {
  if (file.size > MAX_ATTACHMENT_BYTES) throw refuse("file_too_large");
  const first = await file
    .slice(0, MAGIC_BYTES)
    .arrayBuffer()
    // A folder, or a file that no longer exists.
    .catch(() => new ArrayBuffer(0));
  const type = attachmentTypeOf(new Uint8Array(first));
  if (!type) throw refuse("file_not_allowed");
  return type;
}

/** The file's name as a header takes it. */
export function encodedName({ name }: File): string {
  // Half a surrogate pair at the cut can't be encoded.
  return encodeURIComponent(name.slice(0, 80).toWellFormed());
}
