import * as z from "zod/mini";

/**
 * C0 and C1 controls except line feed and tab: they end strings in SQL, forge log entries and mean nothing in a chat.
 */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** Whether `text` is well-formed Unicode without control characters, so that every store returns it unchanged. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** A check for at most `max` code points, which is how zod and JSON Schema count. */
export const atMost = (max: number) => z.maxLength(max, `must be at most ${max} characters`);

/**
 * A schema for text of one to `max` code points that is not only white space; or empty, if allowed. CRLF and lone CR
 * become LF first, because browsers' text boxes and phones' keyboards differ.
 */
export function plainText(max: number, { mayBeEmpty = false } = {}) {
  return z.string().check(
    z.overwrite((text) => text.replace(/\r\n?/g, "\n")),
    z.refine((text) => text.trim() !== "" || (mayBeEmpty && text === ""), "must not be empty"),
    atMost(max),
    z.refine(isCleanText, "must be well-formed text without control characters"),
    z.meta({ minLength: mayBeEmpty ? 0 : 1 }),
  );
}

/** A one-line schema for names, subjects and titles. */
export function lineText(max: number) {
  return z.string().check(
    z.refine((text) => text.trim() !== "", "must not be empty"),
    z.refine((text) => isCleanText(text) && !/[\n\t]/.test(text), "must be one line of well-formed text"),
    z.meta({ minLength: 1 }),
    atMost(max),
  );
}
