import * as z from "zod/mini";

/** C0 and C1 controls other than line feed and tab: they end strings in SQL, forge log lines and mean nothing in a chat. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** Whether `text` is well-formed Unicode without control characters, so that every store gives it back unchanged. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** Length in code points, so that an emoji counts once and not by its surrogates. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * A schema for text of one to `max` code points that is not white space alone; or of none, where it may be empty.
 * CRLF and lone CR become LF first: a browser's text box and a phone's keyboard disagree on them.
 */
export function plainText(max: number, { mayBeEmpty = false } = {}) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.replace(/\r\n?/g, "\n")),
    ),
    z.string().check(
      z.refine((text) => text.trim() !== "" || (mayBeEmpty && text === ""), "must not be empty"),
      z.refine((text) => codePoints(text) <= max, `must be at most ${max} characters`),
      z.refine(isCleanText, "must be well-formed text without control characters"),
    ),
  );
}

/** A one-line schema for names, subjects and titles. */
export function lineText(max: number) {
  return z.string().check(
    z.refine((text) => text.trim() !== "", "must not be empty"),
    z.refine((text) => codePoints(text) <= max, `must be at most ${max} characters`),
    z.refine((text) => isCleanText(text) && !/[\n\t]/.test(text), "must be one line of well-formed text"),
  );
}
