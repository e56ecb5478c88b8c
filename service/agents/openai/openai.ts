import { randomUUID } from "node:crypto";
import { defined } from "../../../shared/defined.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agent.ts";
import { fixedAnswer } from "../knowledge/fixed-answer.ts";
import { sentencesFor } from "../knowledge/knowledge-texts.ts";
import { smallTalk } from "../knowledge/small-talk.ts";
import type { ActingTool } from "../tool.ts";
import { actionSource } from "./action-source.ts";
import { createGroundedText, type GroundedPiece, renumber } from "./grounded-text.ts";
import type { FromServer, ModelClient } from "./model-client.ts";
import type { ModelRequest, ToolCall, Turn } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";
import type { ModelServer } from "./model-server.ts";
import { openaiSentencesFor } from "./openai-texts.ts";
import { answeredOf, instructionsOf, turnsOf } from "./prompt.ts";
import { createSources, type Source, type Sources } from "./sources.ts";
import type { TokenBudget } from "./token-budget.ts";
import { priceOf, type TokenPrice } from "./token-price.ts";
import { createToolBox } from "./tool-box.ts";
import { CHARACTERS_PER_TOKEN, writeSummary } from "./write-summary.ts";

/** How often a model may look something up before it has to answer. */
const MAX_ROUNDS = 5;
/** The usual number of tokens of an answer, for the estimate before a call. */
const USUAL_ANSWER = 500;

export interface OpenaiDeps {
  readonly client: ModelClient;
  readonly findPassages: (question: AgentQuestion, signal: AbortSignal) => Promise<readonly Source[]>;
  readonly budget: TokenBudget;
  /** The owner's words to the model. */
  readonly instructions: string | undefined;
  readonly unavailable: () => string | undefined;
  readonly isWaiting: () => boolean;
  readonly notes: () => readonly string[];
  /** The folder for a new article. */
  readonly folder: string | undefined;
  readonly onLimit: (reached: string) => void;
  readonly onLeftOut: (sentences: number) => void;
}

/**
 * The agent that lets the owner's own model answer. A model is asked only if the articles or a tool may hold the answer,
 * and only its sentences that name one of these sources are shown.
 */
export function createOpenaiAgent(deps: OpenaiDeps): Agent {
  return {
    id: "openai",
    displayName: "AI assistant",
    unavailable: deps.unavailable,
    isWaiting: deps.isWaiting,
    notes: deps.notes,
    answer: (question, signal) => answer(deps, question, signal),
    summarize: (question, signal) => writeSummary(deps, question, signal),
  };
}

async function* answer(
  deps: OpenaiDeps,
  question: AgentQuestion,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  signal.throwIfAborted();
  const { text, locale } = question;
  // "Yes" to a question of ours is an answer, and only the model knows to what.
  const isReply = smallTalk(text)?.kind === "noted" && hasAsked(question);
  const fixed = isReply ? undefined : fixedAnswer(question, (...where) => openaiSentencesFor(...where).robot);
  if (fixed !== undefined) {
    yield* fixed;
    return;
  }
  const found = await deps.findPassages(question, signal);
  const passages = [...found, ...question.actions.map(actionSource)];
  if (passages.length === 0 && question.tools.length === 0) {
    yield { type: "no.quote", reason: "nothing_near", folder: deps.folder };
    yield* nothingFound(locale);
    return;
  }
  const turns = turnsOf(question);
  const instructions = instructionsOf(question, deps.instructions, passages);
  const estimate = tokensIn(instructions) + tokensIn(JSON.stringify(turns)) + USUAL_ANSWER;
  const booking = deps.budget.book(question, estimate);
  if ("reached" in booking) {
    deps.onLimit(booking.reached);
    yield { type: "delta", text: openaiSentencesFor(locale).limitReached };
    signal.throwIfAborted();
    yield { type: "no.quote", reason: "limit" };
    yield { type: "handoff.suggested" };
    return;
  }
  const cost = createCost();
  try {
    yield* converse(deps, question, { turns, instructions, passages, cost }, signal);
  } finally {
    booking.settle(cost.tokens());
  }
}

function hasAsked({ messages }: AgentQuestion): boolean {
  const last = messages.slice(0, -1).findLast(({ role }) => role === "agent");
  return /[?？؟]\s*(?:\[\d{1,3}\]\s*)*$/.test(last?.body ?? "");
}

interface Talk {
  readonly turns: Turn[];
  readonly instructions: string;
  readonly passages: readonly Source[];
  readonly cost: Cost;
}

/** Lets the model answer, and look things up in between. */
async function* converse(
  { client, onLeftOut, folder }: OpenaiDeps,
  question: AgentQuestion,
  { turns, instructions, passages, cost }: Talk,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const { locale } = question;
  const sources = createSources(question.messages.map(({ body }) => body).join("\n") + question.text);
  for (const passage of passages) sources.add(passage);
  const tools = createToolBox(question.tools, sources);
  let server: ModelServer | undefined;
  let hasSpoken = false;
  /** Who has to decide about an action. */
  let asked: ActingTool["confirm"] | undefined;
  let wantsPerson = false;
  let leftOut = 0;
  try {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const grounded = createGroundedText(sources);
      const calls: ToolCall[] = [];
      const offered = round < MAX_ROUNDS ? tools.offered : [];
      const request = { instructions, turns, tools: offered };
      cost.ask(instructions.length + JSON.stringify(turns).length);
      let isFirst = true;
      const say = function* (pieces: readonly GroundedPiece[]) {
        for (const piece of pieces) {
          if (isFirst && hasSpoken) yield { type: "delta", text: "\n\n" } as const;
          yield* eventsOf(piece, sources);
          isFirst = false;
          hasSpoken = true;
        }
      };
      const answering = server
        ? client.ask(request, signal, server)
        : askFirst(client, request, question, signal);
      for await (const { event, server: from } of answering) {
        signal.throwIfAborted();
        if (event.type === "begun") server = from;
        else if (event.type === "text") {
          cost.hear(event.text.length);
          yield* say(grounded.add(event.text));
        } else if (event.type === "call") calls.push(event.call);
        else cost.take(event, from.model);
        signal.throwIfAborted();
      }
      yield* say(grounded.end());
      wantsPerson ||= grounded.wantsPerson;
      leftOut += grounded.leftOut;
      if (calls.length === 0) break;
      turns.push({ role: "calls", calls });
      for (const call of calls) {
        const { text, action, confirm } = await tools.use(call, signal);
        turns.push({ role: "result", callId: call.id, text });
        if (!action) continue;
        // What the customer can decide is said first: the other one waits either way.
        if (asked !== "customer") asked = confirm;
        yield { type: "action.requested", actionId: randomUUID(), ...action };
      }
    }
  } finally {
    if (leftOut > 0) onLeftOut(leftOut);
  }
  signal.throwIfAborted();
  for (const passage of sources.made()) yield { type: "passage", passage };
  if (!hasSpoken && !asked) yield { type: "no.quote", reason: wantsPerson ? "fixed" : "no_source", folder };
  yield cost.event(server?.price);
  const { actionAsked, teamAsked } = openaiSentencesFor(locale);
  if (!hasSpoken && asked) yield { type: "delta", text: asked === "customer" ? actionAsked : teamAsked };
  else if (!hasSpoken && wantsPerson) yield { type: "delta", text: sentencesFor(locale).personOffered };
  else if (!hasSpoken) yield* nothingFound(locale);
  if (wantsPerson) yield { type: "handoff.suggested" };
  signal.throwIfAborted();
}

/**
 * Asks again without the messages that got no answer, if the server refuses the question: it may have refused one of them
 * before, and would refuse each later question with it. The request's turns are then those that the server accepted.
 */
async function* askFirst(
  client: ModelClient,
  request: ModelRequest & { readonly turns: Turn[] },
  question: AgentQuestion,
  signal: AbortSignal,
): AsyncGenerator<FromServer> {
  try {
    yield* client.ask(request, signal);
  } catch (error) {
    const messages = answeredOf(question.messages);
    const isRefused = error instanceof ModelFault && error.isRefusedQuestion;
    if (!isRefused || messages.length === question.messages.length) throw error;
    request.turns.splice(0, request.turns.length, ...turnsOf({ ...question, messages }));
    yield* client.ask(request, signal);
  }
}

function* nothingFound(locale: string | undefined): Generator<AgentEvent> {
  yield { type: "delta", text: sentencesFor(locale).nothingFound };
  yield { type: "nothing.found" };
}

/** The piece after the citations that it names for the first time, with the numbers that the customer sees. */
function* eventsOf(piece: GroundedPiece, sources: Sources): Generator<AgentEvent> {
  for (const number of piece.sources) {
    const citation = sources.show(number);
    if (citation) yield { type: "citation", citation, isOwners: true };
    yield { type: "source", text: sources.textOf(number), isArticle: sources.isArticle(number) };
  }
  yield { type: "delta", text: renumber(piece.text, (number) => sources.shownNumber(number)) };
}

interface Cost {
  ask(characters: number): void;
  hear(characters: number): void;
  take(
    event: { type: "usage"; inputTokens: number; outputTokens: number } | { type: "model"; name: string },
    asked: string,
  ): void;
  tokens(): number;
  event(price: TokenPrice | undefined): AgentEvent;
}

/** Adds up the calls of one answer. A call that was cut off reports nothing, so its text is counted. */
function createCost(): Cost {
  const known = { input: 0, output: 0 };
  let call = { input: 0, output: 0, isReported: true };
  let isEstimate = false;
  let model = "";
  const close = () => {
    isEstimate ||= !call.isReported;
    known.input += call.input;
    known.output += call.output;
    call = { input: 0, output: 0, isReported: true };
  };
  return {
    ask(characters) {
      close();
      call = { input: Math.ceil(characters / CHARACTERS_PER_TOKEN), output: 0, isReported: false };
    },
    hear(characters) {
      if (!call.isReported) call.output += characters / CHARACTERS_PER_TOKEN;
    },
    take(event, asked) {
      model ||= asked;
      // Some servers report the total so far with each event: the last one counts.
      if (event.type === "usage") {
        call = { input: event.inputTokens, output: event.outputTokens, isReported: true };
      } else model = event.name;
    },
    tokens() {
      close();
      return Math.ceil(known.input + known.output);
    },
    event(price) {
      close();
      const more = isEstimate ? { isEstimate } : {};
      const outputTokens = Math.ceil(known.output);
      const inputTokens = known.input;
      const cost = price && priceOf(price, inputTokens, outputTokens);
      return { type: "usage", model, inputTokens, outputTokens, ...more, ...defined({ price: cost }) };
    },
  };
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
