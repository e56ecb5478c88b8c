import { ENGLISH_PHRASES } from "./english-shop.ts";
import { GERMAN_PHRASES } from "./german-shop.ts";

const PHRASES = new Map([
  ["en", ENGLISH_PHRASES],
  ["de", GERMAN_PHRASES],
]);

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
