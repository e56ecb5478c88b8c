import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../../testing/agents.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../../agent.ts";
import type { AgentDeps } from "../../provider.ts";
import { openaiProvider } from "../openai-provider.ts";
import {
  chatAnswer,
  type FakeModelServer,
  type ModelReply,
  startFakeModelServer,
} from "./fake-model-server.ts";

export const QUESTION = "How long does delivery take?";

export async function startModel(...replies: readonly ModelReply[]): Promise<FakeModelServer> {
  const server = await startFakeModelServer();
  onTestFinished(() => server.close());
  if (replies.length > 0) server.reply(...replies);
  return server;
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "parley-openai-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A folder with the article that answers `QUESTION`. */
export function writeArticles(): string {
  const path = folder();
  writeFileSync(
    join(path, "delivery.md"),
    "# Delivery\n\n## How long delivery takes\n\nHow long delivery takes depends on the country you live in.\n",
  );
  return path;
}

export async function openAgent(
  server: Pick<FakeModelServer, "url">,
  env: Record<string, string> = {},
  deps: Partial<AgentDeps> = {},
): Promise<Agent> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const all = {
    AGENT_OPENAI_BASE_URL: server.url,
    AGENT_OPENAI_MODEL: "fake-1",
    KNOWLEDGE_DIR: writeArticles(),
    ...env,
  };
  const reader = createEnvironmentReader(all, (path) => (path === "/key" ? "sk-from-file" : "Say du."));
  const configured = openaiProvider.configure(reader);
  expect(reader.faults).toEqual([]);
  return configured.open(agentDepsOf({ dataDir: folder(), stopping: stopping.signal, ...deps }));
}

interface Heard {
  readonly text: string;
  readonly events: readonly AgentEvent[];
  readonly fault: unknown;
}

export async function hear(
  agent: Agent,
  question: Partial<AgentQuestion> = {},
  signal = new AbortController().signal,
  events: AgentEvent[] = [],
): Promise<Heard> {
  let fault: unknown;
  try {
    for await (const event of agent.answer(questionOf(question.text ?? QUESTION, question), signal)) {
      events.push(event);
    }
  } catch (error) {
    fault = error;
  }
  const text = events.map((event) => (event.type === "delta" ? event.text : "")).join("");
  return { text, events, fault };
}

export const ANSWER = chatAnswer("It depends on the ", "country [1].");
/** The part for the customer; the rest is for the desk. */
export const typesOf = ({ events }: Heard) =>
  events.map(({ type }) => type).filter((type) => type !== "passage" && type !== "no.quote");
