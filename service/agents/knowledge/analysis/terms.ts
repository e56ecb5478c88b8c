import type { Language } from "./languages.ts";
import { plainWord, rawWords } from "./raw-words.ts";
import { withoutPhrases } from "./shop-phrases.ts";

/** A word of a text: as written, and as it is compared. */
export interface Term {
  readonly raw: string;
  readonly term: string;
}

/** Stemming is the slow part of reading articles, and their words repeat. */
const stems = new Map<string, Map<string, string>>();
const MAX_STEMS = 200_000;

/** Reads the words of a text in its language, in order. */
export function termsOf(text: string, language: Language): Term[] {
  return rawWords(withoutPhrases(text, language.code)).map((raw) => ({ raw, term: termOf(raw, language) }));
}

/** The form under which the index stores a word. */
export function termOf(raw: string, language: Language): string {
  const own = stems.get(language.code) ?? new Map<string, string>();
  if (own.size >= MAX_STEMS) own.clear();
  const term = own.get(raw) ?? stemmed(raw, language);
  stems.set(language.code, own.set(raw, term));
  return term;
}

function stemmed(raw: string, language: Language): string {
  if (/\p{N}/u.test(raw)) return plainWord(raw);
  const written = language.code === "de" ? withUmlauts(raw) : raw;
  return plainWord(language.stem(written)) || plainWord(raw);
}

/** "Rueckgabe" is "Rückgabe". */
function withUmlauts(word: string): string {
  return word
    .replace(/(?<![aeq])ue/g, "ü")
    .replaceAll("ae", "ä")
    .replaceAll("oe", "ö");
}

/** Whether a word of a question says something about its subject. */
export function isTelling(raw: string, language: Language): boolean {
  return !language.stopWords.has(plainWord(raw)) && (raw.length > 1 || /[\p{Script=Han}\p{N}]/u.test(raw));
}
