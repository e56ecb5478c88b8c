import type { Article } from "./article.ts";
import { type AskedWord, askedWords } from "./ranking/asked.ts";
import { plainTextOf } from "./ranking/chunks.ts";
import { createCorpus, type Unit } from "./ranking/corpus.ts";
import { type Features, featuresOf } from "./ranking/features.ts";
import { Model, probabilityOf } from "./ranking/probability.ts";
import { type Candidate, rank } from "./ranking/rank.ts";
import weights from "./ranking/weights.json" with { type: "json" };

/** What somebody said before the question, oldest first. */
export interface Said {
  readonly by: "customer" | "support";
  readonly text: string;
}

export interface PassageQuestion {
  readonly text: string;
  /** Earlier messages, oldest first, without the question. */
  readonly before?: readonly Said[];
  /** Passage ids in the order of another ranking, best first, such as one by embeddings. It is fused by rank. */
  readonly ranking?: readonly string[];
}

/** The best passage of one article. */
export interface Passage {
  /** Stays the same as long as the article does. */
  readonly id: string;
  readonly article: { readonly id: string; readonly title: string; readonly url: string | undefined };
  readonly heading: string;
  /** Without Markdown. */
  readonly text: string;
  /** How likely it is that this passage's article answers the question: 0 to 1. */
  readonly probability: number;
  /** Orders the passages of one question; it says nothing across questions. */
  readonly score: number;
  /** What the probability was computed from. */
  readonly features: Features;
  /** Where it is in the articles, for the quote. */
  readonly unit: Unit;
}

export interface Found {
  /** At most ten, each of another article, best first. */
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

/** Only these articles can be offered or quoted. */
const MOST_JUDGED = 5;

/** Finds the passages that answer a question. The search never changes: changed articles need a new one. */
export function createPassageSearch(
  articles: readonly Article[],
  model: Model = Model.parse(weights),
): PassageSearch {
  const corpus = createCorpus(articles);
  const passageOf = (candidate: Candidate, features: Features, probability: number): Passage => {
    const unit = corpus.units[candidate.unit];
    if (!unit) throw new Error("a candidate has a passage");
    const { chunk } = unit;
    const { id, title, url } = chunk.article;
    return {
      id: chunk.id,
      article: { id, title, url },
      heading: chunk.section.heading,
      text: plainTextOf(chunk.passages),
      probability,
      score: candidate.score,
      features,
      unit,
    };
  };
  return {
    all: corpus.units.map(({ chunk }) => ({
      id: chunk.id,
      article: chunk.article.id,
      text: `${chunk.section.heading}\n${plainTextOf(chunk.passages)}`,
    })),
    find({ text }) {
      const asked = askedWords(text.slice(0, MAX_TEXT), corpus);
      const words = asked.map((word) => ({ word, weight: 1 }));
      const candidates = rank(corpus, { article: words, passage: asked });
      const passages = candidates.slice(0, MOST_JUDGED).map((candidate) => {
        const features = featuresOf(corpus, asked, candidates, candidate);
        return passageOf(candidate, features, probabilityOf(features, model));
      });
      return { passages, asked };
    },
  };
}
