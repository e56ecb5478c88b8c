import { COMPILED, type Compiled } from "./compiled-phrases.ts";
import type { ClaimLanguage } from "./phrases.ts";

/** A sentence is in another language if it has more than this many times as many short words of that one. */
export const FOREIGN_FROM = 2;

/** The languages whose script a reading has characters of. */
export function possibleFor(
  words: string,
): readonly { readonly compiled: Compiled; readonly familiarity: number }[] {
  return COMPILED.filter(({ script }) => script.test(words)).map((compiled) => ({
    compiled,
    familiarity: familiarityOf(words, compiled),
  }));
}

/** How many short words of a language a reading has. */
function familiarityOf(words: string, { familiar }: Compiled): number {
  return matchesIn(words, familiar).length;
}

/** The language with the most short words in a sentence; undefined if there is no such language, or another has as many. */
export function languageOf(readings: readonly string[]): ClaimLanguage | undefined {
  const all = readings.join(" ");
  const [first, second] = COMPILED.map((compiled) => ({
    language: compiled.language,
    familiarity: familiarityOf(all, compiled),
  })).toSorted((one, other) => other.familiarity - one.familiarity);
  return first && first.familiarity > (second?.familiarity ?? 0) ? first.language : undefined;
}

/** `matchAll` copies the expression, which is then often compiled again. That took 9 of 10 ms of a sentence. */
export function matchesIn(words: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(words); match; match = pattern.exec(words)) {
    found.push(match);
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found;
}
