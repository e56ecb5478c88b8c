// Separate from text.ts, which would add the schema library to the frame.

/** Length in code points, so that an emoji counts once. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Removes what the service refuses in a text, and what would make its echo differ. */
export function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cc}/gu, (found) => (found === "\n" || found === "\t" ? found : ""))
    .trim();
}
