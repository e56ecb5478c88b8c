import { partsOf } from "../analysis/compounds.ts";
import {
  differentStopWords,
  type Language,
  languageNamed,
  languageOf,
  UNKNOWN_LANGUAGE,
} from "../analysis/languages.ts";
import { plainWord } from "../analysis/raw-words.ts";
import { isTelling, type Term, termsOf } from "../analysis/terms.ts";
import type { Article } from "../article.ts";
import { type Chunk, chunksOf, plainTextOf } from "./chunks.ts";
import { type FieldIndex, type Fields, readFields } from "./field-index.ts";
import { createSpelling, type Spelling } from "./spelling.ts";

/** A passage as it is searched. */
export interface Unit {
  readonly chunk: Chunk;
  /** The number of its article. */
  readonly article: number;
  readonly language: Language;
  readonly fields: Fields;
}

/** Articles made ready for questions. It never changes: changed articles make a new one. */
export interface Corpus {
  readonly articles: readonly Article[];
  readonly units: readonly Unit[];
  /** The numbers of each article's units. */
  readonly unitsOf: readonly (readonly number[])[];
  readonly languages: readonly Language[];
  readonly passageIndex: FieldIndex;
  readonly articleIndex: FieldIndex;
  readonly spelling: Spelling;
  /** The terms of a word that the articles contain, under which a misspelt word is found. */
  termsOfWord(word: string): readonly string[];
  /** The terms of words that begin or end with `term`. */
  compoundsWith(term: string): readonly string[];
}

/** Reads all articles in steps of one article, because thousands take seconds. */
export function* readCorpus(articles: readonly Article[]): Generator<void, Corpus> {
  const chunks = yield* each(articles, chunksOf);
  const languages = yield* languagesOf(articles);
  const units: Unit[] = [];
  const unitsOf: number[][] = [];
  const words = new Words();
  // The parts of compounds are known only after all articles were read once.
  for (const [number, language] of languages.entries()) {
    for (const { section, passages } of chunks[number] ?? []) {
      words.read(`${section.heading}\n${plainTextOf(passages)}`, language);
    }
    words.read(articles[number]?.title ?? "", language);
    yield;
  }
  const read = (text: string, language: Language) =>
    termsOf(text, language).flatMap(({ raw, term }) => [term, ...words.partsOf(raw, language)]);
  const readName = (text: string, language: Language) => {
    const telling = termsOf(text, language).filter(({ raw }) => isTelling(raw, language));
    // "What is it?" is a name too.
    return telling.length === 0
      ? read(text, language)
      : telling.flatMap(({ raw, term }) => [term, ...words.partsOf(raw, language)]);
  };
  for (const [number, article] of articles.entries()) {
    const language = languages[number] ?? UNKNOWN_LANGUAGE;
    const title = readName(article.title, language);
    unitsOf.push([]);
    for (const chunk of chunks[number] ?? []) {
      unitsOf[number]?.push(units.length);
      const heading =
        chunk.section.heading === article.title ? [] : readName(chunk.section.heading, language);
      const text = read(plainTextOf(chunk.passages), language);
      units.push({ chunk, article: number, language, fields: { title, heading, text } });
    }
    yield;
  }
  const whole = articles.map((_, number): Fields => {
    const own = (unitsOf[number] ?? []).flatMap((unit) => units[unit]?.fields ?? []);
    return {
      title: own[0]?.title ?? [],
      heading: [...new Set(own.map(({ heading }) => heading))].flat(),
      text: own.flatMap(({ text }) => text),
    };
  });
  return {
    articles,
    units,
    unitsOf,
    languages: [...new Set(languages)],
    passageIndex: yield* readFields(units.map(({ fields }) => fields)),
    articleIndex: yield* readFields(whole),
    spelling: createSpelling(words.counts),
    termsOfWord: (word) => words.termsOfWord.get(word) ?? [],
    compoundsWith: (term) => words.compoundsWith(term),
  };
}

function* each<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Generator<void, Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

/** Of 623 articles in six languages all but 3 have as many; a list of names has "le" and "la". */
const WORDS_OF_PROSE = 8;

/** An article that is too short to tell is in the language of most others. */
function* languagesOf(articles: readonly Article[]): Generator<void, Language[]> {
  const own = yield* each(articles, (article) => {
    const parts = article.sections.map(({ heading, passages }) => `${heading}\n${plainTextOf(passages)}`);
    const text = parts.join("\n");
    return { text, language: languageOf(text) };
  });
  const counts = new Map<Language, number>();
  for (const { language } of own) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [[usual] = []] = [...counts].sort(([, one], [, other]) => other - one);
  const isUsual = (language: Language) => (counts.get(language) ?? 0) > Math.max(1, articles.length / 50);
  // A list of names may look like another language, and Danish like Norwegian.
  const isClearly = (text: string, language: Language) => {
    const count = differentStopWords(text, language);
    return count >= WORDS_OF_PROSE && usual !== undefined && count >= 2 * differentStopWords(text, usual);
  };
  return own.map(
    ({ text, language }) =>
      (language && (isUsual(language) || isClearly(text, language)) ? language : usual) ??
      languageNamed("en") ??
      UNKNOWN_LANGUAGE,
  );
}

/** A shorter part is in too many words. */
const LEAST_PART = 5;
const MOST_COMPOUNDS = 8;

/** The words of all articles. */
class Words {
  readonly terms = new Set<string>();
  readonly counts = new Map<string, number>();
  readonly termsOfWord = new Map<string, string[]>();
  private readonly parts = new Map<string, string[]>();

  read(text: string, language: Language): void {
    for (const { raw, term } of termsOf(text, language)) {
      this.terms.add(term);
      const word = plainWord(raw);
      this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
      const own = this.termsOfWord.get(word);
      if (own === undefined) this.termsOfWord.set(word, [term]);
      else if (!own.includes(term)) own.push(term);
    }
  }

  compoundsWith(term: string): string[] {
    if (term.length < LEAST_PART) return [];
    const found = [...this.terms].filter((one) => one.startsWith(term) || one.endsWith(term));
    return found.slice(0, MOST_COMPOUNDS);
  }

  partsOf(raw: string, language: Language): readonly string[] {
    if (!language.hasCompounds) return [];
    const parts = this.parts.get(raw) ?? partsOf(raw, language, (term) => this.terms.has(term));
    this.parts.set(raw, parts);
    return parts;
  }
}

/** The words of a question or of what was said before, as this corpus compares them. */
export function termsIn(
  text: string,
  languages: readonly Language[],
): { language: Language; terms: Term[] }[] {
  return languages.map((language) => ({ language, terms: termsOf(text, language) }));
}
