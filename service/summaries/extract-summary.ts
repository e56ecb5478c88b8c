import { negotiate } from "../../shared/languages.ts";
import type { Message } from "../../shared/message.ts";
import type { ProposedSentence } from "../../shared/summary.ts";
import { clip } from "../agents/clip.ts";
import { comparable } from "../agents/comparable-text.ts";
import { smallTalk } from "../agents/knowledge/small-talk.ts";
import { maskSecrets } from "../agents/mask-secrets.ts";
import { languagesOfPersonRequest } from "../agents/person-request.ts";
import agentNames from "./agent-names.json" with { type: "json" };

/** More is no summary; the team has the whole log beside it. */
const MAX_OF_CUSTOMER = 8;
const MAX_OF_AGENT = 2;
/** How many different sentences are tried: whether one says anything takes a millisecond. */
const MAX_TRIED = 100;
/** How many sentences at each end are tried for one that says something. */
const MAX_SMALL_TALK = 20;
const MAX_CHARACTERS = 300;

/** What the panel calls the agent in each language: customers know it by no other name. */
const AGENT_NAMES: Readonly<Record<string, string>> = agentNames;

/** Numbers of orders and parcels, amounts, dates: what a person would have to ask for. Only their ends, in linear time. */
const FIGURE = /\p{Nd}{4}|\p{L}[-_/]?\p{Nd}{2}|\p{Nd}[.,/-]\p{Nd}/u;
const QUESTION = /[?？؟\u037e]/u;
const FEW_WORDS = 3;
/** A piece that continues the one before: "order no. 1234", "approx. two weeks". */
const GOES_ON = /^[\p{Nd}\p{Ll}]/u;
/** What Markdown and source numbers leave in a text that is shown plainly. */
const MARKUP = /[*_`#>|]+|\[\d{1,3}\]/g;

/**
 * A summary without a model: the customer's own sentences that say what it is about, and what the agent answered or did
 * not find, in the order of the log. Nothing is rephrased; secrets are masked.
 */
export function extractSummary(messages: readonly Message[], locale: string | undefined): ProposedSentence[] {
  const sentencesOf = createSplitter(locale);
  const own = keptOf(
    messages.flatMap(({ role, body, seq }) =>
      role === "customer" ? sentencesOf(maskSecrets(body)).map((text) => ({ text, seq })) : [],
    ),
  );
  const [language] = negotiate(locale === undefined ? [] : [locale], Object.keys(AGENT_NAMES));
  const agent = AGENT_NAMES[language] ?? agentNames.en;
  const answers = messages
    .flatMap((message) => answerOf(message, sentencesOf))
    .slice(-MAX_OF_AGENT)
    .map(({ text, seq }) => ({ text: `${agent}: ${text}`, seq }));
  return [...own, ...(own.length > 0 ? answers : [])]
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ text, seq }) => ({ text: clip(text, MAX_CHARACTERS), seq }));
}

/**
 * The sentences that say most. Whether one says anything takes a millisecond, in which every other request waits, so the
 * heaviest are tried first, and only some.
 */
function keptOf(all: readonly ProposedSentence[]): readonly ProposedSentence[] {
  let tries = MAX_TRIED;
  const seen = new Set<string>();
  const says = ({ text }: ProposedSentence) => {
    const plain = comparable(text);
    if (seen.has(plain)) return false;
    seen.add(plain);
    tries -= 1;
    return tries >= 0 && saysSomething(text);
  };
  // The first sentence usually is the question. The last one is what they now stand before.
  const first = all.slice(0, MAX_SMALL_TALK).find(says);
  const last = all.slice(-MAX_SMALL_TALK).findLast(says);
  const kept = new Set([first, last].filter((sentence) => sentence !== undefined));
  const weighed = all.map((sentence) => ({ sentence, weight: weightOf(sentence.text) }));
  for (const { sentence } of weighed.toSorted((a, b) => b.weight - a.weight)) {
    if (kept.size === MAX_OF_CUSTOMER || tries <= 0) break;
    if (says(sentence)) kept.add(sentence);
  }
  return all.filter((sentence) => kept.has(sentence));
}

/** Figures can't be guessed. */
function weightOf(text: string): number {
  const hasFigure = FIGURE.test(text);
  const isShort = text.split(/\s+/).length < FEW_WORDS && !hasFigure;
  return (hasFigure ? 3 : 0) + (QUESTION.test(text) ? 2 : 0) - (isShort ? 2 : 0);
}

function saysSomething(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text) || languagesOfPersonRequest(text).length > 0) return false;
  const kind = smallTalk(text)?.kind;
  // Whoever answers should know of anger: "This is the third time I'm asking."
  return kind === undefined || kind === "sorry";
}

/** The titles that an answer quotes, or its first sentence if it found nothing. Other answers are left out. */
function answerOf(
  { role, body, seq, citations = [], notice }: Message,
  sentencesOf: (text: string) => string[],
): ProposedSentence[] {
  if (role !== "agent") return [];
  const titles = new Set(citations.map(({ title }) => title));
  const said =
    titles.size > 0
      ? [...titles].join(" · ")
      : notice === "agent_found_nothing"
        ? sentencesOf(body.replace(MARKUP, ""))[0]
        : undefined;
  if (said === undefined) return [];
  return [{ text: said.replace(/\s+/g, " "), seq }];
}

function createSplitter(locale: string | undefined): (text: string) => string[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  const split = (line: string) => {
    const pieces: string[] = [];
    for (const { segment } of segmenter.segment(line)) {
      if (pieces.length > 0 && GOES_ON.test(segment)) pieces.push(`${pieces.pop()}${segment}`);
      else pieces.push(segment);
    }
    return pieces;
  };
  return (text) =>
    text
      .split("\n")
      .flatMap(split)
      .map((piece) => piece.replace(/\s+/g, " ").trim())
      .filter((piece) => piece !== "");
}
