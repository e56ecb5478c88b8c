import { LRUCache } from "lru-cache";
import { readingsOf } from "./analysis/readings.ts";
import { refersBack } from "./analysis/referring-words.ts";
import type { Article } from "./article.ts";
import { type AskedWord, askedWords, languagesFor } from "./ranking/asked.ts";
import { plainTextOf } from "./ranking/chunks.ts";
import { contextWords, type Said } from "./ranking/context.ts";
import { type Corpus, readCorpus, type Unit } from "./ranking/corpus.ts";
import { type Features, featuresOf } from "./ranking/features.ts";
import { type FollowUpFeatures, type FollowUpWords, followUpFeaturesOf } from "./ranking/follow-up.ts";
import { fuse } from "./ranking/fuse.ts";
import { atOnce, inTurns } from "./ranking/in-turns.ts";
import { followUpProbabilityOf, Model, probabilityOf } from "./ranking/probability.ts";
import { type Candidate, rank } from "./ranking/rank.ts";
import {
  articleOf,
  EITHER,
  isIncomplete,
  isInName,
  type Judged,
  likeliest,
  MOST_JUDGED,
  read,
  SHORT,
  withSubject,
} from "./ranking/reading.ts";
import weights from "./ranking/weights.json" with { type: "json" };

export type { Said };

export interface PassageQuestion {
  readonly text: string;
  /** Earlier messages, oldest first, without the question. */
  readonly before?: readonly Said[];
  /** Only this article is searched. */
  readonly within?: string;
  /** For training: judges as a follow-up also where the question is better understood without what was said before. */
  readonly judgeBy?: "followUp";
  /** Passage ids in the order of another ranking, best first, such as one by embeddings. */
  readonly ranking?: readonly string[];
}

/** The best passage of one article. */
export interface Passage {
  /** Stays the same as long as the article does. */
  readonly id: string;
  readonly article: Pick<Article, "id" | "title" | "url" | "file">;
  readonly heading: string;
  /** Without Markdown. */
  readonly text: string;
  /** How likely it is that this passage's article answers the question: 0 to 1. */
  readonly probability: number;
  /** Orders the passages of one question; it says nothing across questions. */
  readonly score: number;
  /** What the probability was computed from. */
  readonly features: Features | FollowUpFeatures;
  /** Whether the other ranking has its article first. */
  readonly isNearest: boolean;
  /** Its place in the articles, and other passages of the article that answer nearly as well. */
  readonly unit: Unit;
  readonly also: readonly Unit[];
}

export interface Found {
  /** At most five, each of another article: the most probable, then the others by both rankings, or by probability. */
  readonly passages: readonly Passage[];
  readonly asked: readonly AskedWord[];
}

export interface PassageSearch {
  find(question: PassageQuestion): Found;
  /** Every passage, for another ranking. */
  readonly all: readonly { readonly id: string; readonly article: string; readonly text: string }[];
}

/** Only this many characters of a message are searched with; the rest rarely contains another question. */
const MAX_TEXT = 2_000;

/** Each message is read again with the next questions of its conversation; the oldest texts make room. */
const MAX_READ = 500;

/** The words of a short question choose the passage; what was said before chooses the article. */
const SHORT_WEIGHT = 0.35;
/** A message with more telling words tells a story: it is also read sentence by sentence. */
const LONG = 8;
/**
 * Keeps every article below `QUOTE_FROM` for a sentence that asks nothing, so that its title is only offered. The only
 * word of a question may be beside the point as well, unless it is in a heading: "Can you check?", "Is there parking?"
 */
const UNASKED = 0.7;

/** An article of another ranking, with its best passage there. */
type Nearest = Pick<Candidate, "article" | "unit">;

/** The scores of a candidate that shares no word with the question. */
const UNRANKED = { score: 0, passageScore: 0, articleScore: 0, also: [] };

/** Passages whose probabilities differ by less are equally probable. */
const ALIKE = 0.05;

/**
 * Adds what another ranking has first. The most probable stays first, because the probability knows only words; of
 * several that are equally probable it is the one that the other ranking has first.
 */
function withNearest(
  better: readonly Judged[],
  nearest: readonly Nearest[],
  judge: (nearest: Nearest) => Judged,
): readonly Judged[] {
  if (nearest.length === 0) return better;
  const known = new Map(better.map((one) => [articleOf(one), one]));
  const near = new Map(nearest.map((one) => [one.article, one]));
  const least = (better[0]?.probability ?? 1) - ALIKE;
  const alike = better.filter(({ probability }) => probability >= least).map(articleOf);
  const others = nearest.map(({ article }) => article);
  const first = others.filter((article) => alike.includes(article));
  const all = new Set([...first, ...alike, ...fuse([...known.keys()], others)]);
  return [...all].slice(0, MOST_JUDGED).flatMap((article) => {
    const added = near.get(article);
    return known.get(article) ?? (added ? judge(added) : []);
  });
}

/** Finds the passages that answer a question. The search never changes: changed articles need a new one. */
export function createPassageSearch(articles: readonly Article[]): PassageSearch {
  return searchIn(atOnce(readCorpus(articles)));
}

/** The same, while the process also does other work: thousands of articles take seconds. */
export async function openPassageSearch(articles: readonly Article[]): Promise<PassageSearch> {
  return searchIn(await inTurns(readCorpus(articles)));
}

function searchIn(corpus: Corpus): PassageSearch {
  const model = Model.parse(weights);
  const words = new LRUCache<string, readonly AskedWord[]>({
    max: MAX_READ,
    memoMethod: (text) => askedWords(text, corpus),
  });
  const wordsOf = (text: string) => words.memo(text);
  const passageOf = ({ candidate, features, probability }: Judged, isNearest: boolean): Passage => {
    const unit = corpus.units[candidate.unit];
    if (!unit) throw new Error("a candidate has a passage");
    const { chunk } = unit;
    const { id, title, url, file } = chunk.article;
    return {
      id: chunk.id,
      article: { id, title, url, file },
      heading: chunk.section.heading,
      text: plainTextOf(chunk.passages),
      probability,
      score: candidate.score,
      features,
      isNearest,
      unit,
      also: candidate.also.flatMap((other) => corpus.units[other] ?? []),
    };
  };
  const judgeTogether = (words: FollowUpWords, first: Judged | undefined) => {
    const { asked, said } = words;
    const article = [
      ...asked.map((word) => ({ word, weight: asked.length <= SHORT ? SHORT_WEIGHT : 1 })),
      ...said,
    ];
    const candidates = rank(corpus, { article, passage: asked });
    const alone = { article: first?.candidate.article, probability: first?.probability ?? 0 };
    const judged = candidates.slice(0, MOST_JUDGED).map((candidate) => {
      const features = followUpFeaturesOf(corpus, words, candidates, candidate, alone);
      const probability = followUpProbabilityOf(features, model);
      // Its words are in other articles only: it may as well be about something new.
      const isElsewhere = asked.length > 0 && features.ownCover === 0 && features.ownUnknown < 1;
      return { candidate, features, probability: isElsewhere ? Math.min(probability, EITHER) : probability };
    });
    return judged.sort((one, other) => other.probability - one.probability);
  };
  const judgeAlone = (text: string, within: string | undefined) => {
    const asked = wordsOf(text);
    const own = asked.map((word) => ({ word, weight: 1 }));
    const candidates = rank(corpus, { article: own, passage: asked }, within);
    const judge = (candidate: Candidate): Judged => {
      const features = featuresOf(corpus, asked, candidates, candidate);
      return { candidate, features, probability: probabilityOf(features, model) };
    };
    // The probability knows more than the score: which words stand together, and what the title says.
    const judged = candidates.slice(0, MOST_JUDGED).map(judge);
    return {
      asked,
      candidates,
      judge,
      judged: judged.sort((one, other) => other.probability - one.probability),
    };
  };
  const unitsById = new Map(corpus.units.map(({ chunk }, unit) => [chunk.id, unit]));
  const nearestOf = (passageIds: readonly string[]): Nearest[] => {
    const found = new Map<number, Nearest>();
    for (const id of passageIds) {
      const unit = unitsById.get(id) ?? -1;
      const article = corpus.units[unit]?.article;
      if (article !== undefined && !found.has(article)) found.set(article, { article, unit });
      if (found.size === MOST_JUDGED) break;
    }
    return [...found.values()];
  };
  return {
    all: corpus.units.map(({ chunk }) => ({
      id: chunk.id,
      article: chunk.article.id,
      text: `${chunk.section.heading}\n${plainTextOf(chunk.passages)}`,
    })),
    find({ text, before = [], within, judgeBy, ranking = [] }) {
      const searched = text.slice(0, MAX_TEXT);
      const { asked, candidates, judge, judged } = judgeAlone(searched, within);
      const parts = asked.length > LONG ? readingsOf(searched) : [];
      const partly = parts.flatMap(({ text: part, isQuestion }) => {
        const { asked: own, judged } = judgeAlone(part, within);
        const isClear = (one: Judged) => isQuestion && (own.length > 1 || isInName(one));
        return judged.map((one) => (isClear(one) ? one : { ...one, probability: one.probability * UNASKED }));
      });
      const alone = likeliest([...judged, ...partly]);
      const isReferring = refersBack(text, languagesFor(text, corpus));
      const isShort = isIncomplete(text, asked, isReferring);
      const said = isShort || judgeBy === undefined ? contextWords(before, asked, wordsOf) : [];
      const together = said.length > 0 ? judgeTogether({ asked, said, isReferring }, alone[0]) : [];
      const reading = isShort ? read(asked, alone, together, isReferring) : withSubject(alone, together);
      const better = judgeBy === "followUp" ? together : reading;
      const nearest = nearestOf(ranking);
      const judgeNearest = ({ article, unit }: Nearest) =>
        judge(candidates.find((one) => one.article === article) ?? { ...UNRANKED, article, unit });
      return {
        passages: withNearest(better, nearest, judgeNearest).map((judged) =>
          passageOf(judged, judged.candidate.article === nearest[0]?.article),
        ),
        asked,
      };
    },
  };
}
