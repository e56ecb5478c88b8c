import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../../testing/agents.ts";
import type { Agent } from "../../agent.ts";
import { knowledgeProvider } from "../knowledge-provider.ts";
import {
  type FakeEmbeddingsServer,
  startFakeEmbeddingsServer,
  vectorsBy,
} from "./testing/fake-embeddings-server.ts";

let folder: string;
let server: FakeEmbeddingsServer;
let stopping: AbortController;
let isHanging = false;
let questions = 0;

/** The question means the same as one passage of the demo's articles, and nothing else does. */
const vectorOf = (text: string) =>
  /^exchange receipt$|^invoices and receipts/i.test(text) ? [1, 0] : [0, 1];

beforeEach(async () => {
  [isHanging, questions, stopping] = [false, 0, new AbortController()];
  folder = await mkdtemp(join(tmpdir(), "fused-"));
  const vectors = vectorsBy(vectorOf);
  server = await startFakeEmbeddingsServer((response, asked) => {
    if (asked.input.length === 1) questions += 1;
    if (!isHanging) vectors(response, asked);
  });
});

afterEach(async () => {
  stopping.abort();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (more: Record<string, string> = {}): Promise<Agent> =>
  knowledgeProvider
    .configure(createEnvironmentReader(more, () => ""))
    .open(agentDepsOf({ stopping: stopping.signal, fetch, dataDir: folder }));
const openFused = () =>
  open({
    EMBEDDINGS_BASE_URL: server.url,
    EMBEDDINGS_MODEL: "small",
  });

/** The articles that are quoted or offered, best first. */
async function found(agent: Agent, text: string): Promise<string[]> {
  const titles: string[] = [];
  for await (const event of agent.answer(questionOf(text), new AbortController().signal)) {
    if (event.type === "citation") titles.push(event.citation.title);
    if (event.type === "choice" && "send" in event.choice) titles.push(event.choice.label);
  }
  return titles;
}

const QUESTION = "exchange receipt";
const BY_WORDS = "Returning an item";
const BY_VECTORS = "Payment methods";

test("KNOW4 among the articles that the words find, the nearest in meaning is first", async () => {
  // The control: by words only it is the other one.
  expect((await found(await open(), QUESTION))[0]).toBe(BY_WORDS);
  const agent = await openFused();
  await expect.poll(async () => (await found(agent, QUESTION))[0]).toBe(BY_VECTORS);
  expect(agent.notes?.()).toEqual([]);
});

test("KNOW4 a question about another subject finds nothing, though some article is always nearest", async () => {
  const agent = await openFused();
  await expect.poll(async () => (await found(agent, QUESTION))[0]).toBe(BY_VECTORS);
  expect(await found(agent, "Who wrote this opera?")).toEqual([]);
});

test("KNOW4 while the endpoint hangs, only the words answer", async () => {
  const agent = await openFused();
  await expect.poll(async () => (await found(agent, QUESTION))[0]).toBe(BY_VECTORS);
  isHanging = true;
  const before = questions;
  expect((await found(agent, QUESTION))[0]).toBe(BY_WORDS);
  expect(questions).toBeGreaterThan(before);
});
