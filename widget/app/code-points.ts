/** Length in code points, as the service counts it. Apart from shared/text.ts, which brings the schema library with it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
