import { ENGLISH_PHRASES } from "./english-shop.ts";
import { ENGLISH_PHRASES_OF } from "./english-thesaurus.ts";
import { GERMAN_PHRASES } from "./german-shop.ts";

type Phrase = readonly [RegExp, string];

const PHRASES = new Map([
  ["en", phrasesOf([...ENGLISH_PHRASES, ...readPhrases(ENGLISH_PHRASES_OF)])],
  ["de", phrasesOf(GERMAN_PHRASES)],
]);

/** Most lines have no phrase: one pattern says so in a fraction of the time that all of them take, one after another. */
function phrasesOf(phrases: readonly Phrase[]): {
  readonly phrases: readonly Phrase[];
  readonly any: RegExp;
} {
  return { phrases, any: new RegExp(phrases.map(([{ source }]) => `(?:${source})`).join("|"), "u") };
}

function readPhrases(phrases: Readonly<Record<string, string>>): Phrase[] {
  return Object.entries(phrases).map(([word, all]) => [new RegExp(`\\b(?:${all})\\b`, "g"), word]);
}

/** Replaces phrases in a text whose single words mean little. */
export function withoutPhrases(text: string, language: string): string {
  const known = PHRASES.get(language);
  if (known === undefined) return text;
  let plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
  if (!known.any.test(plain)) return plain;
  for (const [phrase, word] of known.phrases) plain = plain.replace(phrase, ` ${word} `);
  return plain;
}
