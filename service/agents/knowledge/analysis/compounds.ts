import type { Language } from "./languages.ts";
import { termOf } from "./terms.ts";

const LEAST_PART = 4;
/** Letters between the parts of a compound: "Rücksendung-s-kosten". */
const LINKS = ["", "s", "es", "n", "en", "e", "er"];

/**
 * Returns the terms of the two parts of a compound, or nothing if `word` is not one: both parts must be words of the
 * articles, so that no word is cut by chance.
 */
export function partsOf(word: string, language: Language, knows: (term: string) => boolean): string[] {
  if (!language.hasCompounds || word.length < 2 * LEAST_PART) return [];
  let best: string[] = [];
  let longest = 0;
  for (let at = LEAST_PART; at <= word.length - LEAST_PART; at += 1) {
    const last = termOf(word.slice(at), language);
    if (!knows(last)) continue;
    const first = firstPart(word.slice(0, at), language, knows);
    // The even cut is rarely wrong: "Liefer|kosten" and not "Lieferk|osten".
    const shorter = Math.min(at, word.length - at);
    if (first !== undefined && shorter > longest) [best, longest] = [[first, last], shorter];
  }
  return best;
}

/** A shorter end of a word is rarely a word of its own. */
const LEAST_KNOWN_PART = 5;

/** Returns the term of the longest end or beginning of a compound that the articles have, if only one part is theirs. */
export function knownPartOf(word: string, language: Language, knows: (term: string) => boolean): string[] {
  if (!language.hasCompounds) return [];
  for (let length = word.length - LEAST_PART + 1; length >= LEAST_KNOWN_PART; length -= 1) {
    for (const part of [word.slice(-length), word.slice(0, length)]) {
      const term = termOf(part, language);
      if (knows(term)) return [term];
    }
  }
  return [];
}

function firstPart(part: string, language: Language, knows: (term: string) => boolean): string | undefined {
  for (const link of LINKS) {
    if (!part.endsWith(link) || part.length - link.length < LEAST_PART - 1) continue;
    const bare = part.slice(0, part.length - link.length);
    const term = termOf(bare, language);
    if (knows(term)) return term;
    if (knows(bare)) return bare;
  }
  return undefined;
}
