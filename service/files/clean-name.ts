import { type AttachmentType, MAX_FILE_NAME } from "../../shared/attachment.ts";

const ENDINGS: Readonly<Record<AttachmentType, readonly [string, ...string[]]>> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg", "jfif"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "application/pdf": ["pdf"],
};

/** Folders, controls, what turns the direction of text, and what some system will not have in a name. */
const FOREIGN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * A file's name as it may be shown and saved under: no folder, nothing invisible, and an ending that says what its bytes
 * are, because that is what opens it.
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
