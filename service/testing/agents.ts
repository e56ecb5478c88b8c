import { systemClock } from "../../shared/server/clock.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agents/agent.ts";
import type { AgentDeps } from "../agents/provider.ts";
import { createMemoryLog } from "./memory-log.ts";

/** The options that an agent is opened with: no network and no data folder unless a test gives them. */
export function agentDepsOf(more: Partial<AgentDeps> = {}): AgentDeps {
  return {
    clock: systemClock,
    log: createMemoryLog(),
    fetch: () => Promise.reject(new Error("This test has no network.")),
    dataDir: "/nonexistent",
    stopping: new AbortController().signal,
    ...more,
  };
}

/** A question as the service asks it, without tools and history unless a test gives them. */
export function questionOf(text: string, more: Partial<AgentQuestion> = {}): AgentQuestion {
  return {
    conversationId: "c1",
    customerId: "ann",
    text,
    messages: [],
    locale: "en",
    customerName: undefined,
    tools: [],
    actions: [],
    ...more,
  };
}

/** An agent for tests: `script` decides what it emits. */
export function createScriptedAgent(
  script: (question: AgentQuestion, signal: AbortSignal) => AsyncIterable<AgentEvent>,
  options: { id?: string; quotesOnly?: true; unavailable?: () => string | undefined } = {},
): Agent {
  return {
    id: options.id ?? "knowledge",
    displayName: "Test agent",
    ...(options.quotesOnly ? { quotesOnly: options.quotesOnly } : {}),
    unavailable: options.unavailable ?? (() => undefined),
    answer: script,
  };
}

/** Repeats the question in three pieces, with a source. */
export const echoAgent: Agent = createScriptedAgent(
  async function* (question) {
    yield { type: "delta", text: "You asked: " };
    yield { type: "delta", text: question.text };
    yield { type: "delta", text: "." };
    yield {
      type: "citation",
      citation: { citationId: "c1", title: "An article", url: "https://help.example/1" },
    };
  },
  { quotesOnly: true },
);

/** Finishes without any text. */
export function createSilentAgent(options: { id: string; unavailable?: () => string | undefined }): Agent {
  return createScriptedAgent(async function* () {
    // Emits nothing.
  }, options);
}

/** Emits nothing until the test provides text. */
export function createHeldAgent(): { agent: Agent; say(text: string): void; end(): void } {
  const words: (string | undefined)[] = [];
  let wake: (() => void) | undefined;
  const put = (word: string | undefined) => {
    words.push(word);
    wake?.();
  };
  const answer = async function* (_question: AgentQuestion, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    while (!signal.aborted) {
      if (words.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        continue;
      }
      const word = words.shift();
      if (word === undefined) return;
      yield { type: "delta", text: word };
    }
  };
  const agent = createScriptedAgent(answer, { quotesOnly: true });
  return { agent, say: (text) => put(text), end: () => put(undefined) };
}
