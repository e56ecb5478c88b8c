import type { AskedWord } from "./asked.ts";
import type { ContextWord } from "./context.ts";
import type { Corpus } from "./corpus.ts";
import { marginOf, NO_WORD, RICH, strengthIn, titleShare } from "./features.ts";
import type { Candidate } from "./rank.ts";

/** What the probability of a follow-up is computed from: the question itself says little, what was said before more. */
export const FOLLOW_UP_FEATURES = [
  "ownUnknown",
  "ownCover",
  "ownWords",
  "ownMissing",
  "saidCover",
  "saidName",
  "margin",
  "alone",
  "elsewhere",
  "refers",
] as const;
export type FollowUpFeatures = Readonly<Record<(typeof FOLLOW_UP_FEATURES)[number], number>>;

/** A question, and what was said before it. */
export interface FollowUpWords {
  readonly asked: readonly AskedWord[];
  readonly said: readonly ContextWord[];
  /** Whether the question's own words show that it goes on with what was said. */
  readonly isReferring: boolean;
}

/** What the question is taken for without what was said before. */
export interface Alone {
  readonly article: number | undefined;
  readonly probability: number;
}

export function followUpFeaturesOf(
  corpus: Corpus,
  words: FollowUpWords,
  candidates: readonly Candidate[],
  candidate: Candidate,
  alone: Alone,
): FollowUpFeatures {
  const { asked, said } = words;
  const whole = { has: (term: string) => corpus.articleIndex.isIn(term, candidate.article) };
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  const rarest = corpus.articleIndex.rarity(NO_WORD);
  const share = (part: number) => (total === 0 ? 0 : part / total);
  const saidTotal = said.reduce((sum, { word, weight }) => sum + word.weight * weight, 0) || 1;
  const missing = asked.reduce((sum, word) => sum + word.weight * (1 - strengthIn(word, whole)), 0);
  const isSame = alone.article === candidate.article;
  return {
    ownUnknown: share(
      asked.filter(({ forms }) => forms.length === 0).reduce((sum, { weight }) => sum + weight, 0),
    ),
    ownCover: share(asked.reduce((sum, word) => sum + word.weight * strengthIn(word, whole), 0)),
    ownWords: Math.min(1, total / (RICH * rarest)),
    ownMissing: Math.min(1, missing / (RICH * rarest)),
    saidCover:
      said.reduce((sum, { word, weight }) => sum + word.weight * weight * strengthIn(word, whole), 0) /
      saidTotal,
    saidName: titleShare(corpus, candidate, [...asked, ...said.map(({ word }) => word)]),
    margin: marginOf(candidate, candidates),
    alone: isSame ? alone.probability : 0,
    elsewhere: isSame ? 0 : alone.probability,
    refers: words.isReferring ? 1 : 0,
  };
}
