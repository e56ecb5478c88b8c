import { type AttachmentType, MAX_FILE_NAME } from "../../shared/attachment.ts";

const ENDINGS: Readonly<Record<AttachmentType, readonly [string, ...string[]]>> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg", "jfif"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "application/pdf": ["pdf"],
};

/**
 * Path separators, controls, characters that change text direction, and characters that some system refuses in names.
 */
const FOREIGN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * Returns a file name that is safe to show and to save: no folder, nothing invisible, and an extension that matches the
 * file's bytes, because the extension decides which program opens it.
 */
export function cleanName(given: string, type: AttachmentType): string {
  const last = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(FOREIGN, "")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+|[\s.]+$/g, "");
  const dot = clean.lastIndexOf(".");
  const ending = dot < 0 ? "" : clean.slice(dot + 1);
  const endings = ENDINGS[type];
  const isRight = endings.includes(ending.toLowerCase());
  const stem = (isRight ? clean.slice(0, dot) : clean) || "file";
  const right = isRight ? ending : endings[0];
  return `${Array.from(stem)
    .slice(0, MAX_FILE_NAME - right.length - 1)
    .join("")
    .trim()}.${right}`;
}
