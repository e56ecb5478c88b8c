import { languageOf } from "../../service/agents/knowledge/analysis/languages.ts";
import type { Article } from "../../service/agents/knowledge/article.ts";
import { createPassageSearch } from "../../service/agents/knowledge/passages.ts";
import { FEATURES } from "../../service/agents/knowledge/ranking/features.ts";
import { FOLLOW_UP_FEATURES } from "../../service/agents/knowledge/ranking/follow-up.ts";
import type { Model } from "../../service/agents/knowledge/ranking/probability.ts";
import type { Question } from "../knowledge/question-file.ts";
import { type Asked, conversationsOf } from "./conversations.ts";
import { createRandom } from "./random.ts";
import { type Example, learn } from "./regression.ts";

/** Articles with questions, and how much they count beside other sets. */
export interface TrainingSet {
  readonly name: string;
  readonly articles: readonly Article[];
  readonly questions: readonly Question[];
  readonly weight: number;
}

/** Only these candidates can be offered. */
const MOST = 3;
/** A part of the articles is left out, so that there are questions on the same subject that nothing answers. */
const KEPT = 0.6;
/** A set with at least this many articles is also read with several of them as one, under headings. */
const MANY = 30;

/** How much less a set counts among the articles of all others: with more, small folders suffer. */
const CROWDED = 6;

type FeaturesOf<Name extends string> = Record<Name, number>;

/** Learns what makes a passage the answer. */
export function train(sets: readonly TrainingSet[]): Model {
  const questions: Example<(typeof FEATURES)[number]>[] = [];
  const followUps: Example<(typeof FOLLOW_UP_FEATURES)[number]>[] = [];
  for (const set of sets) {
    for (const variant of [...variantsOf(set), crowded(set, sets)]) questions.push(...alone(variant));
    followUps.push(...together(set));
  }
  return { question: learn(FEATURES, questions), followUp: learn(FOLLOW_UP_FEATURES, followUps) };
}

function alone({ articles, questions, weight }: TrainingSet): Example<(typeof FEATURES)[number]>[] {
  const search = createPassageSearch(articles);
  return questions.flatMap((question) =>
    search
      .find({ text: question.text })
      .passages.slice(0, MOST)
      .map((passage) => ({
        features: passage.features as FeaturesOf<(typeof FEATURES)[number]>,
        isRight: question.articles.includes(passage.article.id),
        weight,
      })),
  );
}

function together({
  articles,
  questions,
  weight,
}: TrainingSet): Example<(typeof FOLLOW_UP_FEATURES)[number]>[] {
  const search = createPassageSearch(articles);
  const language = languageOf(questions.map(({ text }) => text).join("\n"))?.code ?? "";
  if (language !== "en" && language !== "de") return [];
  const titles = new Map(articles.map(({ id, title }) => [id, title]));
  const asked: Asked[] = conversationsOf(questions, {
    language,
    random: createRandom(3),
    say(article, question) {
      const [best] = search.find({ text: question, within: article }).passages;
      const title = titles.get(article);
      return best && title ? { title, quote: `${best.heading}\n${best.text.slice(0, 600)}` } : undefined;
    },
  });
  return asked.flatMap(({ text, before, articles: right }) =>
    search
      .find({ text, before, judgeBy: "followUp" })
      .passages.filter(({ features }) => "saidCover" in features)
      .slice(0, MOST)
      .map((passage) => ({
        features: passage.features as FeaturesOf<(typeof FOLLOW_UP_FEATURES)[number]>,
        isRight: right.includes(passage.article.id),
        weight,
      })),
  );
}

/** The set as it is, with fewer articles, and with several articles as one. */
function variantsOf(set: TrainingSet): TrainingSet[] {
  const fewer = [1, 2].map((seed) => {
    const random = createRandom(seed);
    return { ...set, articles: set.articles.filter(() => random() < KEPT), weight: set.weight / 2 };
  });
  return [set, ...fewer, ...(set.articles.length >= MANY && isShort(set) ? [merged(set)] : [])];
}

/** The set among the articles of all others, so that the same probability holds in a larger folder. */
function crowded(set: TrainingSet, sets: readonly TrainingSet[]): TrainingSet {
  const foreign = sets
    .filter((other) => other !== set)
    .flatMap(({ articles }, at) =>
      articles.map((article) => ({ ...article, id: `foreign-${at}-${article.id}` })),
    );
  return { ...set, articles: [...set.articles, ...foreign], weight: set.weight / CROWDED };
}

function isShort({ articles }: TrainingSet): boolean {
  return articles.every(({ sections }) => sections.length <= 2);
}

/** Three articles as the sections of one, whose title says nothing. */
function merged(set: TrainingSet): TrainingSet {
  const random = createRandom(5);
  const mixed = set.articles
    .map((article) => [random(), article] as const)
    .sort(([one], [other]) => one - other);
  const articles: Article[] = [];
  const newIds = new Map<string, string>();
  for (let at = 0; at < mixed.length; at += 3) {
    const group = mixed.slice(at, at + 3).map(([, article]) => article);
    const id = `merged-${at}`;
    for (const one of group) newIds.set(one.id, id);
    const sections = group.flatMap((one) => one.sections);
    articles.push({ id, title: `More answers ${at}`, url: undefined, sections });
  }
  const questions = set.questions.map((question) => ({
    ...question,
    articles: question.articles.map((id) => newIds.get(id) ?? id),
  }));
  return { ...set, articles, questions, weight: set.weight / 2 };
}
