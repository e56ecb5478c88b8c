import type { AskedWord } from "./asked.ts";
import type { Corpus } from "./corpus.ts";

/** An article that may answer, with its best passage. */
export interface Candidate {
  readonly article: number;
  readonly unit: number;
  readonly score: number;
  /** Scores of the passage and of the whole article. */
  readonly passageScore: number;
  readonly articleScore: number;
  /** Other passages of the article that answer nearly as well, best first. */
  readonly also: readonly number[];
}

/** A second passage is quoted only if it answers nearly as well as the first. */
const NEARLY = 0.72;

/** How much the whole article says beside its best passage. */
const ARTICLE = 0.5;
const MOST = 10;

/** Words that choose the article, and words that choose the passage in it. */
export interface Words {
  readonly article: readonly { readonly word: AskedWord; readonly weight: number }[];
  readonly passage: readonly AskedWord[];
}

/** Ranks all articles, or the one named `within`, by their best passage and by the whole article together. */
export function rank(corpus: Corpus, words: Words, within?: string): Candidate[] {
  const { units, articles, passageIndex, articleIndex } = corpus;
  const passages = new Float64Array(units.length);
  const wholes = new Float64Array(articles.length);
  const chosen = new Float64Array(units.length);
  for (const { word, weight } of words.article) {
    passageIndex.add(word.forms, passages, weight);
    articleIndex.add(word.forms, wholes, weight);
  }
  const isSame = words.article.length === words.passage.length;
  if (!isSame) for (const word of words.passage) passageIndex.add(word.forms, chosen, 1);
  const best = new Map<number, Candidate>();
  for (const [unit, { article }] of units.entries()) {
    const passageScore = passages[unit] ?? 0;
    const articleScore = wholes[article] ?? 0;
    if (articleScore === 0 || (within !== undefined && articles[article]?.id !== within)) continue;
    const score = passageScore + ARTICLE * articleScore + (chosen[unit] ?? 0);
    const before = best.get(article);
    if (before === undefined || score > before.score) {
      best.set(article, { article, unit, score, passageScore, articleScore, also: [] });
    }
  }
  const first = [...best.values()].sort((one, other) => other.score - one.score).slice(0, MOST);
  return first.map((candidate) => {
    const scoreOf = (unit: number) => (passages[unit] ?? 0) + (chosen[unit] ?? 0);
    const also = (corpus.unitsOf[candidate.article] ?? [])
      .filter((unit) => unit !== candidate.unit && scoreOf(unit) >= NEARLY * scoreOf(candidate.unit))
      .sort((one, other) => scoreOf(other) - scoreOf(one));
    return { ...candidate, also };
  });
}
