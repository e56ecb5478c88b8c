import type { Passage, Section } from "./article.ts";
import type { FoundSection } from "./found-sections.ts";
import type { AskedWord } from "./ranking/asked.ts";

/** Separates two names in one cell: "Visa, Mastercard", "Oak and pine", "Monday to Friday". */
const BETWEEN_NAMES = /[,;/&–—]|\b(?:and|or|to)\b/i;

/**
 * Returns the indexes of the table lines that a question asks for, or all of them in case of doubt: a table without the
 * row that answers is a false answer. A line is left out only if the customer wrote the whole name of another row (no
 * synonym, and not "card" for "Gift card") and the question asks for nothing else.
 */
export function rowsAskedFor(
  table: Passage,
  { section, article, asked, termsOf }: FoundSection,
): readonly number[] {
  const all = [...table.lines.keys()];
  const common = new Set(termsOf([article.title, section.heading, ...headOf(table, section)].join("\n")));
  const isCommon = (word: AskedWord) => wordIsIn(word, common);
  const telling = asked.filter((word) => !isCommon(word));
  const written = new Set(telling.map(({ own }) => own));
  const isNamed = table.lines.map(({ name = "" }) =>
    name.split(BETWEEN_NAMES).some((one) => isWholeName(termsOf(one), written, common)),
  );
  if (!isNamed.includes(true)) return all;
  const words = table.lines.map(({ plain }) => new Set(termsOf(plain)));
  const speaks = (row: number, { own }: AskedWord) => words[row]?.has(own) === true;
  const chosen = all.filter((row) => isNamed[row] || telling.some((word) => speaks(row, word)));
  const isExplained = telling.every((word) => chosen.some((row) => speaks(row, word)));
  return isExplained ? chosen : all;
}

/** The column names and the text before the table. Their words do not distinguish rows. */
function headOf(table: Passage, { passages }: Section): string[] {
  const before = passages.slice(0, passages.indexOf(table));
  return [...(table.columns ?? []), ...before.flatMap(({ lines }) => lines.map(({ plain }) => plain))];
}

function isWholeName(
  name: readonly string[],
  written: ReadonlySet<string>,
  common: ReadonlySet<string>,
): boolean {
  return (
    name.some((word) => written.has(word)) && name.every((word) => written.has(word) || common.has(word))
  );
}

function wordIsIn({ own, forms }: AskedWord, words: ReadonlySet<string>): boolean {
  return words.has(own) || forms.some(({ term }) => words.has(term));
}
