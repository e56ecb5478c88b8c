import { randomUUID } from "node:crypto";
import { Agent as Connections } from "undici";
import { type Clock, isRecent } from "../../../shared/server/clock.ts";
import { signStandardWebhook } from "../../http/standard-webhook.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agent.ts";
import { sentencesFor } from "../knowledge/knowledge-texts.ts";
import { createAgUiReader } from "./ag-ui-reader.ts";
import { requestOf } from "./agent-request.ts";
import { ReplyFault } from "./reply-fault.ts";
import { createReplyParser } from "./reply-parser.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { createTurnReader } from "./turn-reader.ts";

const CONNECT_MS = 5_000;
/** The service gives an agent 20 s for its first word. */
const FIRST_MS = 18_000;
/** How long the agent may be silent in the middle of an answer; comments and empty lines count as words. */
const GAP_MS = 15_000;
/** After this many failures in a row new conversations go to another agent, for a while. */
const FAILURES = 3;
const AWAY_MS = 30_000;

export interface HttpAgentOptions {
  readonly url: URL;
  readonly key: Buffer;
}

/**
 * The owner's own agent: one signed call for each question, with a streamed answer. A call is never repeated, because
 * the agent may have acted on the first one.
 */
export function createHttpAgent(
  { url, key }: HttpAgentOptions,
  { clock, stopping }: { readonly clock: Clock; readonly stopping: AbortSignal },
): Agent {
  const connections = new Connections({
    connect: { timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  stopping.addEventListener("abort", () => void connections.destroy(), { once: true });
  let failures = 0;
  let refusals = 0;
  let failedAt = 0;
  let sentence = "";

  async function* ask(question: AgentQuestion, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const late = new AbortController();
    const both = AbortSignal.any([signal, late.signal]);
    let stopTimer: () => void = () => undefined;
    const allow = (ms: number) => {
      stopTimer();
      stopTimer = clock.after(ms, () => late.abort(new ReplyFault("agent_slow", "The agent is too slow.")));
    };
    allow(FIRST_MS);
    try {
      const id = question.messages.at(-1)?.id ?? randomUUID();
      const body = JSON.stringify(requestOf(question, id));
      const answer = await connections.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "POST",
        headers: {
          accept: "application/x-ndjson, text/event-stream",
          "content-type": "application/json",
          ...signStandardWebhook({ id, body }, key, clock.now()),
        },
        body,
        signal: both,
      });
      // An abort before anybody reads is reported as an `error` event, which without a listener would end the process.
      answer.body.on("error", () => undefined);
      const type = String(answer.headers["content-type"] ?? "");
      const { form, reader } = replyOf(answer.statusCode, type, question);
      const parser = createReplyParser(form, reader);
      for await (const bytes of answer.body) {
        allow(GAP_MS);
        yield* parser.feed(bytes);
        // What is left on the connection, and whether it closes, says nothing about the answer.
        if (reader.isOver()) break;
      }
      yield* parser.end();
    } catch (cause) {
      if (both.aborted) throw both.reason;
      throw cause instanceof ReplyFault
        ? cause
        : new ReplyFault("agent_unreachable", "The connection to the agent failed.", cause);
    } finally {
      stopTimer();
      // Ends the call if nobody waits for the rest.
      late.abort();
    }
  }

  const isAway = () => failures >= FAILURES && isRecent(clock, failedAt, AWAY_MS);
  return {
    id: "http",
    displayName: "AI assistant",
    unavailable: () => (isAway() ? sentence : undefined),
    isWaiting: isAway,
    notes: () => (failures + refusals >= FAILURES ? [sentence] : []),
    async *answer(question, signal) {
      signal.throwIfAborted();
      if (question.text.trim() === "") {
        yield { type: "delta", text: sentencesFor(question.locale).nothingFound };
        yield { type: "nothing.found" };
        return;
      }
      try {
        for await (const event of ask(question, signal)) {
          yield event;
          signal.throwIfAborted();
        }
        failures = 0;
        refusals = 0;
      } catch (error) {
        if (!signal.aborted) {
          // A question that is refused says nothing about those of others.
          if (error instanceof ReplyFault && error.isRefusedQuestion) refusals += 1;
          else {
            failures += 1;
            failedAt = clock.now();
          }
          const why = error instanceof ReplyFault ? `: ${error.message}` : ".";
          sentence = `The agent at AGENT_HTTP_URL gives no answers${why}`;
        }
        throw error;
      }
    },
  };
}

function replyOf(
  status: number,
  type: string,
  { tools }: AgentQuestion,
): { readonly form: "lines" | "events"; readonly reader: ReplyReader } {
  if (status !== 200)
    throw new ReplyFault("agent_refused", `The agent answered ${status}.`, undefined, status);
  if (/^application\/(?:x-ndjson|jsonl)\b/i.test(type)) return { form: "lines", reader: createTurnReader() };
  if (/^text\/event-stream\b/i.test(type)) return { form: "events", reader: createAgUiReader(tools) };
  throw new ReplyFault(
    "agent_malformed",
    "The agent answered with a type that is neither NDJSON nor an event stream.",
  );
}
