import { ENGLISH_PHRASES } from "./english-shop.ts";
import { ENGLISH_PHRASES_OF } from "./english-thesaurus.ts";
import { GERMAN_PHRASES } from "./german-shop.ts";

const PHRASES = new Map<string, readonly (readonly [RegExp, string])[]>([
  ["en", [...ENGLISH_PHRASES, ...readPhrases(ENGLISH_PHRASES_OF)]],
  ["de", GERMAN_PHRASES],
]);

function readPhrases(phrases: Readonly<Record<string, string>>): (readonly [RegExp, string])[] {
  return Object.entries(phrases).map(([word, all]) => [new RegExp(`\\b(?:${all})\\b`, "g"), word]);
}

/** Replaces phrases in a text whose single words mean little. */
export function withoutPhrases(text: string, language: string): string {
  const phrases = PHRASES.get(language);
  if (phrases === undefined) return text;
  let plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
  for (const [phrase, word] of phrases) plain = plain.replace(phrase, ` ${word} `);
  return plain;
}
