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

/** A sentence of the customer, and how much it says. */
interface Weighed extends ProposedSentence {
  readonly weight: number;
}

/**
 * A summary without a model: the customer's own sentences that say what it is about, and what the agent answered or did
 * not find, in the order of the log. Nothing is rephrased; secrets are masked.
 */
export function extractSummary(messages: readonly Message[], locale: string | undefined): ProposedSentence[] {
  const sentencesOf = createSplitter(locale);
  const own = withoutRepeats(
    messages.flatMap(({ role, body, seq }) =>
      role === "customer"
        ? sentencesOf(maskSecrets(body)).flatMap((text) => (saysSomething(text) ? { text, seq } : []))
        : [],
    ),
  );
  const kept = new Set(
    own
      .map((sentence, at): Weighed => ({ ...sentence, weight: weightOf(sentence.text, at, own.length) }))
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, MAX_OF_CUSTOMER)
      .map(({ seq, text }) => `${seq} ${text}`),
  );
  const [language] = negotiate(locale === undefined ? [] : [locale], Object.keys(AGENT_NAMES));
  const agent = AGENT_NAMES[language] ?? agentNames.en;
  const answers = messages
    .flatMap((message) => answerOf(message, sentencesOf))
    .slice(-MAX_OF_AGENT)
    .map(({ text, seq }) => ({ text: `${agent}: ${text}`, seq }));
  return [...own.filter(({ seq, text }) => kept.has(`${seq} ${text}`)), ...(own.length > 0 ? answers : [])]
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ text, seq }) => ({ text: clip(text, MAX_CHARACTERS), seq }));
}

/** The first sentence usually is the question, and figures can't be guessed. The last one is what they now stand before. */
function weightOf(text: string, at: number, count: number): number {
  const isShort = text.split(/\s+/).length < FEW_WORDS && !FIGURE.test(text);
  return (
    (at === 0 ? 4 : 0) +
    (FIGURE.test(text) ? 3 : 0) +
    (QUESTION.test(text) ? 2 : 0) +
    (at === count - 1 ? 1 : 0) -
    (isShort ? 2 : 0)
  );
}

function saysSomething(text: string): boolean {
  return (
    /[\p{L}\p{N}]/u.test(text) && smallTalk(text) === undefined && languagesOfPersonRequest(text).length === 0
  );
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

function withoutRepeats(sentences: readonly ProposedSentence[]): ProposedSentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => {
    const plain = comparable(text);
    return !seen.has(plain) && seen.add(plain);
  });
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
