/** Longest piece of the owner's own text that a sentence repeats. */
const MAX_QUOTED = 60;

/** A value as JSON on one line, cut where it is long; line breaks and controls stay escaped. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED - 1).toWellFormed()}…`;
}

/** What somebody wrote, by kind, for "but it is …". */
export function kindOf(value: unknown): string {
  if (typeof value === "string") return `the text ${quote(value)}`;
  if (typeof value === "number") return `the number ${quote(value)}`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return quote(value);
}

/** `a`, `a and b`, `a, b and c`; cut after ten. */
export function joinWords(words: readonly string[], link: "and" | "or" = "and"): string {
  const shown = words.length > 10 ? [...words.slice(0, 9), `${words.length - 9} more`] : words;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} ${link} ${last}`;
}

/** `; did you mean "x"?` where a known word is near, else `; ` and `otherwise`. With the sentence's full stop. */
export function hint(word: string, known: readonly string[], otherwise: string): string {
  const near = nearest(word, known);
  return near === undefined ? `; ${otherwise}.` : `; did you mean ${quote(near)}?`;
}

/** The known word that was most likely meant: same letters, few typing errors, or a part of the longer name. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const plain = plainLetters(word);
  const allowed = plain.length < 3 ? 0 : plain.length < 6 ? 1 : 2;
  let best: { name: string; errors: number } | undefined;
  for (const name of known) {
    const errors = typingErrors(plain, plainLetters(name), allowed);
    if (errors <= allowed && (best === undefined || errors < best.errors)) best = { name, errors };
  }
  return best?.name ?? known.find((name) => isPartOf(plain, plainLetters(name)));
}

function plainLetters(word: string): string {
  return word
    .slice(0, 100)
    .toLowerCase()
    .replace(/[\s_-]/g, "");
}

function isPartOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 3 && (long.startsWith(short) || long.endsWith(short));
}

/** Edit distance with swaps of neighbours; anything over `limit` may come back as any number over it. */
function typingErrors(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let errors = Math.min(
        at(last, column) + 1,
        at(line, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) errors = Math.min(errors, at(before, column - 2) + 1);
      line.push(errors);
    }
    before = last;
    last = line;
  }
  return at(last, to.length);
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}
