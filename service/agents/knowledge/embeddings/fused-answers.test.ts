import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../../testing/agents.ts";
import type { Agent } from "../../agent.ts";
import { knowledgeProvider } from "../knowledge-provider.ts";

let folder: string;
let server: Server;
let stopping: AbortController;
let isHanging = false;
let questions = 0;

/** The question means the same as one passage of the demo's articles, and nothing else does. */
const vectorOf = (text: string) => (/^my order$|^where is my order/i.test(text) ? [1, 0] : [0, 1]);

beforeEach(async () => {
  [isHanging, questions, stopping] = [false, 0, new AbortController()];
  folder = await mkdtemp(join(tmpdir(), "fused-"));
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      const { input } = JSON.parse(body) as { input: string[] };
      if (input.length === 1) questions += 1;
      if (isHanging) return;
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  stopping.abort();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const open = (more: Record<string, string> = {}): Promise<Agent> =>
  knowledgeProvider
    .configure(createEnvironmentReader(more, () => ""))
    .open(agentDepsOf({ stopping: stopping.signal, fetch, dataDir: folder }));
const openFused = () =>
  open({
    EMBEDDINGS_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

const QUESTION = "my order";
const BY_WORDS = "Changing or cancelling an order";
const BY_VECTORS = "Tracking your order";

test("KNOW4 among the articles that the words find, the nearest in meaning is first", async () => {
  // The control: by words alone it is the other one.
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

test("KNOW4 while the endpoint hangs the words alone answer", async () => {
  const agent = await openFused();
  await expect.poll(async () => (await found(agent, QUESTION))[0]).toBe(BY_VECTORS);
  isHanging = true;
  const before = questions;
  expect((await found(agent, QUESTION))[0]).toBe(BY_WORDS);
  expect(questions).toBeGreaterThan(before);
});
