import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { openTestService } from "../../testing/test-service.ts";
import type { Agent } from "../agent.ts";
import { createAnswerParser } from "./answer-parser.ts";
import { chatDialect } from "./chat-dialect.ts";
import type { ModelEvent } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";
import { responsesDialect } from "./responses-dialect.ts";
import { createDeadlines } from "./testing/deadlines.ts";
import { chatAnswer, type ModelReply, responsesAnswer } from "./testing/fake-model-server.ts";
import type { HostileStream } from "./testing/hostile-stream.ts";
import { HOSTILE_STREAMS } from "./testing/hostile-streams.ts";
import { openAgent, QUESTION, startModel } from "./testing/openai-bench.ts";

/** Feeds the parts of one stream, then its end. */
function hear({ dialect, isJson = false }: HostileStream, parts: readonly Uint8Array[]) {
  const parser = createAnswerParser(dialect === "chat" ? chatDialect : responsesDialect, isJson);
  let text = "";
  let begun = 0;
  const calls: (readonly [string, string])[] = [];
  const take = (events: Iterable<ModelEvent>) => {
    for (const event of events) {
      if (event.type === "text") text += event.text;
      if (event.type === "begun") begun += 1;
      if (event.type === "call") calls.push([event.call.name, event.call.input]);
    }
  };
  try {
    for (const part of parts) take(parser.feed(part));
    take(parser.end());
    return { text, calls, begun, end: "whole" };
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    return { text, calls, begun, end: error.code };
  }
}

const positions = ({ bytes }: HostileStream) => Array.from(bytes, (_, at) => at);

/** One byte at a time, as the slowest connection would. */
const bytewise = ({ bytes }: HostileStream) => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

test("there are at least sixty hostile streams, each with a name of its own", () => {
  expect(HOSTILE_STREAMS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(HOSTILE_STREAMS.map(({ name }) => name)).size).toBe(HOSTILE_STREAMS.length);
});

describe("AGENT6 a hostile stream is taken for what it is", () => {
  test.each(HOSTILE_STREAMS)("$name", (stream) => {
    const { text, calls, end, begun } = hear(stream, bytewise(stream));
    expect({ text, calls, end }).toEqual({ text: stream.text, calls: stream.calls, end: stream.end });
    expect(begun).toBeLessThanOrEqual(1);
  });

  test.each(HOSTILE_STREAMS)("$name: wherever its packets are split", (stream) => {
    // Bytes that are not UTF-8 spoil the packet that they came in.
    const isSteady = stream.end !== "model_malformed";
    const wrong = positions(stream).filter((at) => {
      const heard = hear(stream, [stream.bytes.subarray(0, at), stream.bytes.subarray(at)]);
      const isText = isSteady ? heard.text === stream.text : stream.text.startsWith(heard.text);
      return !isText || heard.end !== stream.end || !isDeepStrictEqual(heard.calls, stream.calls);
    });
    expect(wrong).toEqual([]);
  });

  test.each(HOSTILE_STREAMS)("$name: cut at any byte, it is never whole and says nothing twice", (stream) => {
    const wrong = positions(stream).filter((at) => {
      const { end, text, calls } = hear(stream, [stream.bytes.subarray(0, at)]);
      if (end !== "whole") return !stream.text.startsWith(text) || calls.length > 0;
      return stream.end !== "whole" || text !== stream.text || !isDeepStrictEqual(calls, stream.calls);
    });
    expect(wrong).toEqual([]);
  });
});

/** The table's text as two sentences that name their source: the first is shown, also if the second one is cut. */
const sourced = (text: string) =>
  text.replaceAll("Half ", "It is so [1]. Half ").replaceAll("an answer", "an answer [1].");

test("AGENT6 through the agent into the log, what is cut is stored as incomplete and nothing is said twice", async () => {
  const server = await startModel();
  const open = (api: string) => openAgent(server, { AGENT_OPENAI_API: api }, { clock: createDeadlines() });
  const usual = { chat: await open("chat"), responses: await open("responses") };
  let current = usual.chat;
  const agent: Agent = {
    ...current,
    unavailable: () => undefined,
    answer: (...asked) => current.answer(...asked),
  };
  const t = await openTestService({ agents: [agent] });
  const ann = await t.customer("ann");
  const stored = new Map<string, number>();
  for (const { name, dialect, isJson, bytes, text, end, calls = [] } of HOSTILE_STREAMS) {
    // After some failures, an agent would not ask this server again.
    current = end === "whole" ? usual[dialect] : await open(dialect);
    const stream: ModelReply = {
      headers: isJson ? { "content-type": "application/json" } : {},
      chunks: [Buffer.from(sourced(Buffer.from(bytes).toString("latin1")), "latin1")],
    };
    const rest = (dialect === "chat" ? chatAnswer : responsesAnswer)("That is all [1].");
    server.reply(stream, ...(calls.length > 0 ? [rest] : []));
    const id = await ann.start();
    await ann.say(id, QUESTION);
    await t.service.settled();
    const { messages } = await ann.transcript(id);
    expect(messages, name).toHaveLength(2);
    const { body, incomplete = false, notice } = messages[1] ?? {};
    const kind = incomplete ? "incomplete" : (notice ?? "whole");
    stored.set(kind, (stored.get(kind) ?? 0) + 1);
    if (end !== "whole") {
      expect(kind, name).toMatch(/^(?:incomplete|agent_failed)$/);
      if (incomplete) expect(body, name).toBe("It is so [1].");
    } else if (text.includes("an answer")) {
      const said = "It is so [1]. Half an answer [1].";
      expect([kind, body], name).toEqual(["whole", calls.length > 0 ? `${said}\n\nThat is all [1].` : said]);
    } else {
      expect(kind, name).toBe(calls.length > 0 ? "whole" : "agent_found_nothing");
      expect(body, name).not.toContain("Half");
    }
  }
  // Where nothing was shown before the end, there is no answer to store.
  expect(stored.get("incomplete")).toBeGreaterThan(20);
});

test("an event of a megabyte and a huge answer are refused, not stored", () => {
  const parser = createAnswerParser(chatDialect, false);
  expect(() => [...parser.feed(Buffer.from(`data: ${"x".repeat(1_100_000)}`))]).toThrow(ModelFault);
  const endless = createAnswerParser(chatDialect, true);
  const block = Buffer.alloc(1024 * 1024, " ");
  expect(() => {
    for (let at = 0; at < 9; at += 1) expect([...endless.feed(block)]).toEqual([]);
  }).toThrow(ModelFault);
});
