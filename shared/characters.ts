// Separate from text.ts, which would add the schema library to the frame.

/** Length in code points, so that an emoji counts once. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `most` code points. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  let taken = 0;
  for (const character of text) {
    if (taken === most) break;
    end += character.length;
    taken += 1;
  }
  return text.slice(0, end);
}

/** Removes what the service refuses in a text, and what would make its echo differ. */
export function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cc}/gu, (found) => (found === "\n" || found === "\t" ? found : ""))
    .trim();
}
