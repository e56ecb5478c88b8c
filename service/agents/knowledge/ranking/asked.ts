import { knownPartOf, partsOf } from "../analysis/compounds.ts";
import { type Language, languageOf, UNKNOWN_LANGUAGE } from "../analysis/languages.ts";
import { plainWord } from "../analysis/raw-words.ts";
import { goesOn } from "../analysis/referring-words.ts";
import { synonymsOf } from "../analysis/synonyms.ts";
import { isTelling } from "../analysis/terms.ts";
import { type Corpus, termsIn } from "./corpus.ts";
import type { Form } from "./field-index.ts";

/** One word of a question that says something about its subject. */
export interface AskedWord {
  readonly raw: string;
  /** Its own term, whether or not an article has it. */
  readonly own: string;
  /** The terms of the articles that it may mean; empty if there are none. */
  readonly forms: readonly Form[];
  /** How rare it is in the articles. */
  readonly weight: number;
  /** Whether the word itself is in the articles, or only a synonym, a respelling or its parts. */
  readonly isOwn: boolean;
}

/** A long story repeats itself after this many words. */
const MAX_WORDS = 40;
const LEAST_RARITY = 0.2;
const RESPELT = 0.85;
const PART = 0.5;

/** Reads a question: each telling word once, in order. */
export function askedWords(text: string, corpus: Corpus): AskedWord[] {
  const asked = new Map<string, AskedWord>();
  for (const { language, terms } of termsIn(text, languagesFor(text, corpus))) {
    for (const { raw, term } of terms) {
      if (asked.size >= MAX_WORDS) break;
      if (!isTelling(raw, language)) continue;
      const known = asked.get(raw);
      const word = understand(raw, term, language, corpus);
      if (word === undefined) continue;
      if (known === undefined) asked.set(raw, word);
      else if (known.own !== word.own && word.isOwn) asked.set(raw, both(known, word));
    }
  }
  const byTerm = new Map<string, AskedWord>();
  for (const word of asked.values()) if (!byTerm.has(word.own)) byTerm.set(word.own, word);
  return [...byTerm.values()];
}

/**
 * The language of the question if articles are in it, otherwise all languages of the articles. If the question is too
 * short to tell, its first word may: "and books?" is English. Any stop word would not do: "USA" is one in Spanish.
 */
export function languagesFor(text: string, { languages }: Corpus): readonly Language[] {
  if (languages.length <= 1) return languages.length === 0 ? [UNKNOWN_LANGUAGE] : languages;
  const own = languageOf(text);
  if (own) return languages.includes(own) ? [own] : languages;
  const goingOn = languages.filter((language) => goesOn(text, language));
  return goingOn.length > 0 ? goingOn : languages;
}

function both(one: AskedWord, other: AskedWord): AskedWord {
  return {
    ...one,
    forms: [...one.forms, ...other.forms],
    isOwn: one.isOwn || other.isOwn,
    weight: one.isOwn ? Math.min(one.weight, other.weight) : other.weight,
  };
}

/** Returns nothing for a misspelt word that says nothing about the subject: "somethiing". */
function understand(raw: string, own: string, language: Language, corpus: Corpus): AskedWord | undefined {
  const { articleIndex } = corpus;
  const isOwn = articleIndex.has(own);
  const forms: Form[] = isOwn ? [{ term: own, weight: 1 }] : [];
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) {
      if (articleIndex.has(term) && forms.every((form) => form.term !== term)) forms.push({ term, weight });
    }
  };
  // Where nearly every article has the word itself, a rare synonym would say more than it.
  if (!isOwn || articleIndex.rarity(own) >= LEAST_RARITY) {
    for (const [term, weight] of synonymsOf(own, language)) add([term], weight);
  }
  const knows = (term: string) => articleIndex.has(term);
  add(partsOf(raw, language, knows), PART);
  if (forms.length === 0) add(knownPartOf(raw, language, knows), PART);
  if (forms.length === 0 && language.hasCompounds) add(corpus.compoundsWith(own), PART);
  if (forms.length === 0) {
    const near = corpus.spelling.near(plainWord(raw));
    if (near.some((word) => language.stopWords.has(word) && isSlip(plainWord(raw), word))) return undefined;
    add([...new Set(near.flatMap((word) => corpus.termsOfWord(word)))], RESPELT);
  }
  const rarities = forms.map((form) => articleIndex.rarity(form.term));
  const weight = isOwn || forms.length === 0 ? articleIndex.rarity(own) : Math.max(...rarities);
  return { raw, own, forms, weight, isOwn };
}

/** Whether a finger slipped: a letter too many, or two that changed places. "World" is no "would". */
function isSlip(written: string, meant: string): boolean {
  const letters = (word: string) => Array.from(word).sort().join("");
  return written.length > meant.length || letters(written) === letters(meant);
}
