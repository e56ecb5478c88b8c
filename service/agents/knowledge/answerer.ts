import type { MadePassage } from "../../../shared/answer-made.ts";
import type { Message } from "../../../shared/message.ts";
import type { AgentQuestion } from "../agent.ts";
import { foundSections } from "./found-sections.ts";
import { byKindAsked } from "./kind-asked.ts";
import { sentencesFor, withoutOwnSentences } from "./knowledge-texts.ts";
import { madePassage } from "./made-passage.ts";
import type { Passage, PassageSearch } from "./passages.ts";
import { chooseQuotes, type Quote } from "./quote.ts";
import type { Said } from "./ranking/context.ts";
import { QUOTE_FROM } from "./ranking/probability.ts";

/** The answer to a question: quotes, articles whose titles are offered, or neither. */
export interface Answer {
  readonly quotes: readonly Quote[];
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  /** What is offered is unlikely: these several only come nearest. */
  readonly isUnlikely: boolean;
  /** All that was found, the most probable first, for the desk. */
  readonly found: readonly MadePassage[];
}

/** From this probability on an article's title is offered. The report says what it means. */
const OFFER_FROM = 0.045;
/** The same where vectors have the article first. */
const OFFER_NEAREST_FROM = 0.03;
/** From here on titles are named below the words that nothing was found: measured in docs/decisions/0078-passages.md. */
const NEAREST_FROM = 0.01;
const LEAST_COVER_OF_NEAREST = 0.15;
/** A quote that is less sure than this comes with other titles. */
const SURE = 0.9;
const MOST_OFFERED = 3;

/** What is done with the passages that were found: the probability of the best decides. */
export type Decision =
  | { readonly kind: "quote"; readonly passage: Passage; readonly offered: readonly Passage[] }
  | { readonly kind: "offer" | "nearest"; readonly offered: readonly Passage[] }
  | { readonly kind: "nothing" };

/** Decides by the probability: quote the best, offer titles, or say that nothing was found, and what comes nearest. */
export function decide(passages: readonly Passage[]): Decision {
  const [best, ...others] = passages;
  if (best === undefined) return { kind: "nothing" };
  if (best.probability < QUOTE_FROM) {
    const offered = passages.slice(0, MOST_OFFERED);
    const isLikely = offered.some(({ probability }) => probability >= OFFER_FROM);
    if ((isLikely || passages.some(isNearAndAbout)) && offered.some(isAbout))
      return { kind: "offer", offered };
    const isNear =
      offered.length > 1 &&
      offered.some(({ probability }) => probability >= NEAREST_FROM) &&
      offered.some(hasSomething);
    return isNear ? { kind: "nearest", offered } : { kind: "nothing" };
  }
  const likely = others.filter(({ probability }) => probability >= OFFER_FROM);
  return {
    kind: "quote",
    passage: best,
    offered: best.probability < SURE ? likely.slice(0, MOST_OFFERED - 1) : [],
  };
}

/** An article that has nearly nothing of what was asked is no offer, however clearly it has more than the others. */
const LEAST_COVER = 0.2;
/** Below this probability an article needs more of what was asked. */
const LIKELY_FROM = 0.06;
const LEAST_COVER_OF_UNLIKELY = 0.3;
/** A question with more words that the article does not have is about something new. */
const MOST_MISSING = 0.3;

/** Words and vectors together offer articles that the words by themselves would not. */
function isNearAndAbout(passage: Passage): boolean {
  return passage.isNearest && passage.probability >= OFFER_NEAREST_FROM && isAbout(passage);
}

function isAbout(passage: Passage): boolean {
  return covers(passage, passage.probability >= LIKELY_FROM ? LEAST_COVER : LEAST_COVER_OF_UNLIKELY);
}

function hasSomething(passage: Passage): boolean {
  return covers(passage, LEAST_COVER_OF_NEAREST);
}

function covers({ features }: Passage, least: number): boolean {
  return "cover" in features ? features.cover >= least : features.ownMissing <= MOST_MISSING;
}

/** Answers questions from the passages that a search finds. */
export function createAnswerer(
  search: PassageSearch,
): (question: AgentQuestion, ranking?: readonly string[]) => Answer {
  return (question, ranking) => {
    const chosen = chosenArticle(question);
    const before = saidBefore(question);
    const found = chosen
      ? search.find({ text: `${chosen.asked} ${question.text}`, within: chosen.id })
      : search.find({ text: question.text, before, ...(ranking ? { ranking } : {}) });
    const [first] = found.passages;
    const decision: Decision =
      chosen && first ? { kind: "quote", passage: first, offered: [] } : decide(found.passages);
    const quotes =
      decision.kind === "quote"
        ? chooseQuotes(
            byKindAsked(question.text, foundSections(decision.passage, found)),
            sentencesFor(question.locale),
          )
        : [];
    const offered = decision.kind === "nothing" ? [] : decision.offered;
    const useOf = (passage: Passage): MadePassage["use"] => {
      if (decision.kind === "quote" && passage === decision.passage && quotes.length > 0) return "quoted";
      return offered.includes(passage) ? "offered" : "found";
    };
    return {
      quotes,
      offered: offered.map(({ article: { id, title } }) => ({ id, title })),
      isUnlikely: decision.kind === "nearest",
      found: found.passages.map((passage) => madePassage(passage, useOf(passage))),
    };
  };
}

/** The messages before the question. */
function earlier({ messages }: AgentQuestion): readonly Message[] {
  return messages.at(-1)?.role === "customer" ? messages.slice(0, -1) : messages;
}

/** What was said before, by the customer and by whoever answered, except what no article is about. */
function saidBefore(question: AgentQuestion): Said[] {
  const messages = earlier(question);
  const isMissed = (message: Message | undefined) => message?.notice === "agent_found_nothing";
  return messages.flatMap((message, at) => {
    const { role, body, citations = [] } = message;
    if (role === "system" || isMissed(message) || isMissed(messages[at + 1])) return [];
    const titles = citations.map(({ title }) => title);
    return [
      {
        by: role === "customer" ? "customer" : "support",
        text: [...titles, withoutOwnSentences(body)].join("\n"),
      },
    ];
  });
}

/** The article whose offered title the customer pressed, and the question to which it was offered. */
function chosenArticle(question: AgentQuestion): { id: string; asked: string } | undefined {
  const before = earlier(question);
  const last = before.at(-1);
  if (last?.role !== "agent") return undefined;
  const pressed = last.choices?.find((choice) => "send" in choice && choice.send === question.text.trim());
  if (pressed === undefined) return undefined;
  return { id: pressed.id, asked: before.findLast(({ role }) => role === "customer")?.body ?? "" };
}
