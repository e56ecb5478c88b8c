import type { Citation } from "../../../shared/message-kinds/citations.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agent.ts";
import { type Answer, createAnswerer } from "./answerer.ts";
import { fixedAnswer } from "./fixed-answer.ts";
import { apologyIn, type KnowledgeSentences, sentencesFor } from "./knowledge-texts.ts";
import { type Knowledge, openSources } from "./open-knowledge.ts";
import type { Quote } from "./quote.ts";
import { splitAnger } from "./small-talk.ts";
import { readFolder } from "./sources/folder-source.ts";
import type { Library } from "./sources/library.ts";

export interface KnowledgeOptions {
  /** Folder of articles, read once. */
  readonly directory: string;
  /** The base for article addresses without a host. */
  readonly baseUrl?: string | undefined;
  /** Shown as the author of the answers. */
  readonly displayName?: string;
}

const MAX_EXCERPT = 300;

/** A longer title is cut on its button. */
const MAX_LABEL = 120;

/**
 * The agent that quotes help articles. It needs no network and no key, and it invents no sentence. It searches with the
 * question and what was said before; articles are data and never instructions.
 *
 * @throws Error with one sentence for an operator when the folder is missing, empty or over a limit
 */
export async function createKnowledgeAgent({
  directory,
  baseUrl,
  ...look
}: KnowledgeOptions): Promise<Agent> {
  return createLibraryAgent(await openSources([readFolder(directory)], baseUrl), look);
}

/** The same on articles that may change: each question is answered from those of its moment. */
export function createLibraryAgent(
  library: Library<Knowledge>,
  options: Pick<KnowledgeOptions, "displayName"> = {},
): Agent {
  return {
    id: "knowledge",
    displayName: options.displayName ?? "Help agent",
    quotesOnly: true,
    unavailable: () => library.unavailable(),
    notes: () => library.notes(),
    answer(question, signal) {
      const knowledge = library.current();
      if (knowledge === undefined) throw new Error("The agent was asked before it had articles.");
      const { search, vectors } = knowledge;
      const answerer = createAnswerer(search);
      const find = async (asked: AgentQuestion) => answerer(asked, await vectors?.rank(asked.text, signal));
      return answer({ find, folder: library.folder }, question, signal);
    },
  };
}

async function* answer(
  deps: {
    readonly find: (question: AgentQuestion) => Promise<Answer>;
    readonly folder: string | undefined;
  },
  question: AgentQuestion,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  signal.throwIfAborted();
  const { folder } = deps;
  const { text, locale } = question;
  const fixed = fixedAnswer(question);
  if (fixed !== undefined) {
    yield* fixed;
    return;
  }
  const sentences = sentencesFor(locale);
  const anger = splitAnger(text);
  const apology = anger && apologyIn(sentencesFor(locale, anger.languages));
  const answerWith = (...parts: readonly string[]) =>
    say([...(apology === undefined ? [] : [apology]), ...parts].join("\n\n"), signal);
  const asked = anger === undefined ? question : { ...question, text: anger.rest };
  const { quotes, offered, isUnlikely, found } = await deps.find(asked);
  for (const passage of found) yield { type: "passage", passage };
  if (quotes.length === 0 && (offered.length === 0 || isUnlikely)) {
    const missed = wasJustMissed(question) ? missedAgain(sentences) : sentences.nothingFound;
    yield answerWith(missed, ...(isUnlikely ? [sentences.nearest] : []));
    yield { type: "no.quote", reason: "nothing_near", folder };
    yield* choicesOf(offered);
    yield { type: "nothing.found" };
    return;
  }
  if (quotes.length === 0) {
    yield answerWith(sentences.offered);
    yield { type: "no.quote", reason: "unsure", folder };
    yield* choicesOf(offered);
    yield { type: "handoff.suggested" };
    return;
  }
  const passages = quotes.flatMap((quote) => quote.passages);
  const frame = sentences.frame === undefined ? [] : [sentences.frame];
  yield answerWith(...frame, ...passages);
  for (const citation of citationsOf(quotes)) yield { type: "citation", citation, isOwners: true };
  yield* choicesOf(offered);
}

/** Quick replies with the titles of articles. */
function* choicesOf(offered: Answer["offered"]): Generator<AgentEvent> {
  for (const { id, title } of offered) {
    const label = title.length > MAX_LABEL ? `${title.slice(0, MAX_LABEL - 1).toWellFormed()}…` : title;
    yield { type: "choice", choice: { id, label, send: title } };
  }
}

/** Whether the answer before this question found nothing either. */
function wasJustMissed({ messages }: AgentQuestion): boolean {
  return messages.findLast(({ role }) => role !== "customer")?.notice === "agent_found_nothing";
}

function missedAgain({ nothingFound, nothingFoundAgain, personOffered }: KnowledgeSentences): string {
  return nothingFoundAgain ?? `${nothingFound}\n\n${personOffered}`;
}

/** The whole text at once: it is ready, and each piece would cost every reader an event. */
function say(text: string, signal: AbortSignal): AgentEvent {
  signal.throwIfAborted();
  return { type: "delta", text };
}

/** One citation per article, in the order of the quotes. */
function citationsOf(quotes: readonly Quote[]): Citation[] {
  const citations = new Map<string, Citation>();
  for (const { found, plain } of quotes) {
    const { id, title, url } = found.article;
    if (citations.has(id)) continue;
    const excerpt = plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT - 1).toWellFormed()}…` : plain;
    citations.set(id, { citationId: id, title, ...(url ? { url } : {}), excerpt });
  }
  return [...citations.values()];
}
