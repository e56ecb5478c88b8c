import type { Language } from "./analysis/languages.ts";
import { isTelling, termsOf } from "./analysis/terms.ts";
import type { Article, Section } from "./article.ts";
import type { Found, Passage } from "./passages.ts";
import type { AskedWord } from "./ranking/asked.ts";
import type { Unit } from "./ranking/corpus.ts";

/** A section of an article, or a part of a long one, that answers a question. */
export interface FoundSection {
  readonly article: Article;
  /** The whole section, by which its neighbours are found. */
  readonly whole: Section;
  /** What of it may be quoted. */
  readonly section: Section;
  /** The terms in the articles that match the question. */
  readonly words: ReadonlySet<string>;
  /** All words of the question, including those that no article contains. */
  readonly asked: readonly AskedWord[];
  readonly language: Language;
  /** Reads the telling words of a text in the article's language. */
  readonly termsOf: (text: string) => readonly string[];
}

/** The sections of one found passage, for its quote: the best first. */
export function foundSections(passage: Passage, { asked }: Found): FoundSection[] {
  const words = new Set(asked.flatMap(({ forms }) => forms.map(({ term }) => term)));
  return [passage.unit, ...passage.also].map((unit) => {
    const { article, section: whole, passages } = unit.chunk;
    const section = passages.length === whole.passages.length ? whole : { ...whole, passages };
    return { article, whole, section, words, asked, language: unit.language, termsOf: readerOf(unit) };
  });
}

function readerOf({ language }: Unit): (text: string) => readonly string[] {
  return (text) =>
    termsOf(text, language).flatMap(({ raw, term }) => (isTelling(raw, language) ? [term] : []));
}
