/** `a`, `a and b`, `a, b and c`; shortened after ten. */
export function joinWords(words: readonly string[], link: "and" | "or" = "and"): string {
  const shown = words.length > 10 ? [...words.slice(0, 9), `${words.length - 9} more`] : words;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} ${link} ${last}`;
}
