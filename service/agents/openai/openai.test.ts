import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../shared/server/clock.ts";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../testing/agents.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import { openTestService } from "../../testing/test-service.ts";
import { shopOf } from "../../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../../tools/testing/test-toolbox.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agent.ts";
import {
  startFakeEmbeddingsServer,
  vectorsBy,
} from "../knowledge/embeddings/testing/fake-embeddings-server.ts";
import type { AgentDeps } from "../provider.ts";
import type { Tool } from "../tool.ts";
import { openaiProvider } from "./openai-provider.ts";
import {
  chatAnswer,
  chatCall,
  chatEnd,
  chatText,
  type FakeModelServer,
  type ModelReply,
  startFakeModelServer,
} from "./testing/fake-model-server.ts";

const articles = mkdtempSync(join(tmpdir(), "parley-articles-"));
writeFileSync(
  join(articles, "delivery.md"),
  "# Delivery\n\n## How long delivery takes\n\nHow long delivery takes depends on the country you live in.\n",
);
afterAll(() => rmSync(articles, { recursive: true, force: true }));

const QUESTION = "How long does delivery take?";

async function startModel(...replies: readonly ModelReply[]): Promise<FakeModelServer> {
  const server = await startFakeModelServer();
  onTestFinished(() => server.close());
  if (replies.length > 0) server.reply(...replies);
  return server;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "parley-openai-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function openAgent(
  server: Pick<FakeModelServer, "url">,
  env: Record<string, string> = {},
  deps: Partial<AgentDeps> = {},
): Promise<Agent> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const all = {
    AGENT_OPENAI_BASE_URL: server.url,
    AGENT_OPENAI_MODEL: "fake-1",
    KNOWLEDGE_DIR: articles,
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

async function hear(
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

/** Pauses before another attempt end at once, deadlines when the test ends them. */
function createDeadlines(): Clock & { expire(): void } {
  const held = new Set<() => void>();
  return {
    now: () => 0,
    after(ms, run) {
      if (ms < 5000) {
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      }
      held.add(run);
      return () => void held.delete(run);
    },
    every: () => () => undefined,
    expire() {
      for (const run of held) run();
    },
  };
}

const ANSWER = chatAnswer("It depends on the ", "country [1].");
/** The part for the customer; the rest is for the desk. */
const typesOf = ({ events }: Heard) =>
  events.map(({ type }) => type).filter((type) => type !== "passage" && type !== "no.quote");

describe("a call of the model contains", () => {
  test("the sources, the owner's instructions and the conversation, and asks the server to store nothing", async () => {
    const server = await startModel(ANSWER);
    const agent = await openAgent(server, {
      AGENT_INSTRUCTIONS: "/words",
      AGENT_OPENAI_API_KEY_FILE: "/key",
    });
    const at = new Date(0).toISOString();
    const before = { id: "m1", seq: 1, at, role: "customer", body: "Hello there" } as const;
    const reply = { id: "m2", seq: 2, at, role: "agent", body: "Hi [1]." } as const;
    const asked = { id: "m3", seq: 3, at, role: "customer", body: QUESTION } as const;
    await hear(agent, { messages: [before, reply, asked] });
    const [call] = server.calls;
    expect(call?.headers["authorization"]).toBe("Bearer sk-from-file");
    expect(call?.body).toMatchObject({ store: false, stream: true, model: "fake-1" });
    const messages = call && "messages" in call.body ? call.body.messages : [];
    expect(messages[0]?.content).toContain("Say du.");
    expect(messages[0]?.content).toMatch(/\n\[1\] .*\n.*deliver/i);
    expect(messages.slice(1)).toEqual([
      { role: "user", content: "Hello there" },
      { role: "assistant", content: "Hi." },
      { role: "user", content: QUESTION },
    ]);
  });

  test.each(["chat", "responses"])("secrets that a customer pasted never leave (%s)", async (api) => {
    const server = await startModel();
    const agent = await openAgent(server, { AGENT_OPENAI_API: api });
    await hear(agent, { text: `${QUESTION} My card is 4111 1111 1111 1111, password: hunter2` });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.text).not.toMatch(/4111|hunter2/);
    expect(server.calls[0]?.text).toContain("[card number]");
  });

  test("an article's other likely passages, whose figures an answer may repeat under one number", async () => {
    const sections = ["Germany takes 3 working days", "Austria takes 5 working days"];
    const text = sections.map((words) => `## Delivery\n\nDelivery to ${words}.\n`).join("\n");
    const path = folder();
    writeFileSync(join(path, "delivery.md"), `# Shipping\n\n${text}`);
    const said = sections.map((words) => `Delivery to ${words} [1].`).join(" ");
    const server = await startModel(chatAnswer(said));
    const heard = await hear(await openAgent(server, { KNOWLEDGE_DIR: path }), { text: "delivery" });
    for (const words of sections) expect(server.calls[0]?.text).toContain(words);
    expect(heard.text).toBe(said);
    expect(typesOf(heard).filter((type) => type === "citation")).toHaveLength(1);
  });

  test("no more of one article than 4,000 characters", async () => {
    const path = folder();
    const section = `## Delivery\n\n${"Delivery takes 3 days. ".repeat(40)}\n\n`;
    writeFileSync(join(path, "delivery.md"), `# Shipping\n\n${section.repeat(9)}`);
    const server = await startModel(ANSWER);
    await hear(await openAgent(server, { KNOWLEDGE_DIR: path }), { text: "delivery" });
    const sections = server.calls[0]?.text.split("Delivery\\n").length;
    expect(sections).toBe(1 + Math.floor(4_000 / section.length));
  });

  test("a field that the server does not know is left out", async () => {
    const unknown = (field: string): ModelReply => ({
      status: 422,
      chunks: [`{"error":{"message":"Extra inputs are not permitted: '${field}'"}}`],
    });
    const server = await startModel(unknown("stream_options"), unknown("store"), ANSWER);
    expect((await hear(await openAgent(server))).text).toBe("It depends on the country [1].");
    expect(
      server.calls.map(({ text }) => [text.includes("stream_options"), text.includes('"store"')]),
    ).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  test.each([
    ["chat", { param: "store" }, false],
    ["chat", { message: "Unknown field: 'store'" }, false],
    ["chat", { message: "Unrecognized request argument supplied: store" }, false],
    ["chat", { message: "The text 'when does your store open' was refused" }, true],
    ["responses", { param: "store", message: "Unknown field: 'store'" }, true],
  ])(
    "`store: false` is left out only where nothing is stored without it (%s, %o)",
    async (api, error, isSent) => {
      const server = await startModel({ status: 400, chunks: [JSON.stringify({ error })] }, ANSWER);
      const agent = await openAgent(server, { AGENT_OPENAI_API: api });
      await hear(agent);
      await hear(agent);
      expect(server.calls.length).toBeGreaterThan(1);
      expect(server.calls.at(-1)?.text.includes('"store":false')).toBe(isSent);
    },
  );

  test.each([
    ["Are you a robot?", "I'm an AI agent, not a person. You can ask for a person at any time.", true],
    ["Bist du ein Mensch?", expect.stringContaining("KI-Agent"), true],
    ["this is ridiculous", expect.stringContaining("I'm sorry"), true],
    ["bye", expect.stringContaining("Goodbye"), false],
    ["thanks", expect.stringContaining("You're welcome"), false],
  ])("small talk gets the sentence that fits it, without a call: %s", async (text, said, offersPerson) => {
    const server = await startModel();
    const heard = await hear(await openAgent(server), { text });
    expect(heard.text).toEqual(said);
    expect(typesOf(heard)).toEqual(offersPerson ? ["delta", "handoff.suggested"] : ["delta"]);
    expect(server.calls).toEqual([]);
  });

  test('"yes" to the model\'s own question is an answer, and no small talk', async () => {
    const server = await startModel(ANSWER);
    const agent = await openAgent(server);
    const at = new Date(0).toISOString();
    const afterAgentSaid = (body: string) =>
      [
        { id: "m1", seq: 1, at, role: "customer", body: QUESTION },
        { id: "m2", seq: 2, at, role: "agent", body },
        { id: "m3", seq: 3, at, role: "customer", body: "Yes" },
      ] as const;
    await hear(agent, { text: "Yes", messages: afterAgentSaid("It depends on the country [1].") });
    expect(server.calls).toEqual([]);
    await hear(agent, { text: "Yes", messages: afterAgentSaid("Do you mean within the country?") });
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    ["chat", "max_tokens"],
    ["responses", "max_output_tokens"],
  ])("a bound on the answer, left out for a server that does not know it (%s)", async (api, field) => {
    const error = { message: `Unsupported parameter: '${field}' is not supported with this model.` };
    const server = await startModel({ status: 400, chunks: [JSON.stringify({ error })] }, ANSWER);
    await hear(await openAgent(server, { AGENT_OPENAI_API: api }));
    expect(server.calls.slice(0, 2).map(({ text }) => text.includes(field))).toEqual([true, false]);
  });

  test("a question that no article comes near is not sent at all", async () => {
    const server = await startModel();
    const heard = await hear(await openAgent(server), { text: "Xyzzy plugh?" });
    expect(server.calls).toEqual([]);
    expect(typesOf(heard)).toEqual(["delta", "nothing.found"]);
  });

  test("KNOW4 with vectors the nearest passages are sent, also for a question in another language", async () => {
    const vectors = await startFakeEmbeddingsServer(vectorsBy(() => [1, 0]));
    onTestFinished(() => vectors.close());
    const server = await startModel();
    const agent = await openAgent(
      server,
      { EMBEDDINGS_BASE_URL: vectors.url, EMBEDDINGS_MODEL: "small" },
      { fetch },
    );
    await expect
      .poll(async () => {
        server.reply(ANSWER);
        await hear(agent, { text: "Wann kommt mein Paket?" });
        return server.calls.some(({ text }) => text.includes("depends on the country"));
      })
      .toBe(true);
  });

  test.each([
    ["without its version", (url: string) => url.replace(/\/v1$/, "")],
    ["with a slash", (url: string) => `${url}/`],
    ["with the operation", (url: string) => `${url}/chat/completions`],
  ])("the base address may be given %s", async (_name, change) => {
    const server = await startModel(ANSWER);
    const log = createMemoryLog();
    const agent = await openAgent({ url: change(server.url) }, {}, { log });
    expect((await hear(agent)).text).toBe("It depends on the country [1].");
    await expect.poll(() => log.text()).toContain("the model server was reached");
    expect(log.text()).toContain(`"base":"${server.url}"`);
  });
});

describe("an answer", () => {
  test.each(["chat", "responses"])("comes with its source and its cost (%s)", async (api) => {
    const server = await startModel();
    const heard = await hear(await openAgent(server, { AGENT_OPENAI_API: api }));
    expect(heard.fault).toBeUndefined();
    expect(heard.text).toMatch(/\[1\]\.$/);
    expect(heard.events[0]).toMatchObject({ type: "citation", citation: { title: expect.any(String) } });
    expect(heard.events.at(-1)).toEqual({
      type: "usage",
      model: "fake-1",
      inputTokens: 100,
      outputTokens: 20,
    });
  });

  test("DESK18 reports its passages, which of them it named, and its price at the server that answered", async () => {
    const server = await startModel(ANSWER);
    const { events } = await hear(await openAgent(server, { AGENT_OPENAI_PRICE: "0.5 2.25 EUR" }));
    expect(events.find(({ type }) => type === "passage")).toEqual({
      type: "passage",
      passage: {
        title: "Delivery",
        heading: "How long delivery takes",
        file: join(articles, "delivery.md"),
        probability: expect.any(Number),
        use: "quoted",
      },
    });
    const price = (100 * 0.5 + 20 * 2.25) / 1_000_000;
    expect(events.at(-1)).toMatchObject({ type: "usage", price: { amount: price, currency: "EUR" } });
  });

  test.each(["0.5", "0.5 2 euro", "1 -2 EUR", "1,5 2 EUR"])(
    "a price in another form is refused: %s",
    (price) => {
      const env = { AGENT_OPENAI_BASE_URL: "http://x", AGENT_OPENAI_MODEL: "m", AGENT_OPENAI_PRICE: price };
      const reader = createEnvironmentReader(env, () => "");
      openaiProvider.configure(reader);
      expect(reader.faults.map(({ name }) => name)).toEqual(["AGENT_OPENAI_PRICE"]);
    },
  );

  test("without one sourced sentence found nothing", async () => {
    const server = await startModel(chatAnswer("We deliver to the moon.", " Trust me!"));
    const heard = await hear(await openAgent(server));
    expect(heard.text).not.toContain("moon");
    expect(typesOf(heard)).toEqual(["usage", "delta", "nothing.found"]);
    expect(heard.events.find(({ type }) => type === "no.quote")).toEqual({
      type: "no.quote",
      reason: "no_source",
      folder: articles,
    });
  });

  test("offers a person if the model asks for one", async () => {
    const server = await startModel(chatAnswer("[person]"));
    expect(typesOf(await hear(await openAgent(server)))).toContain("handoff.suggested");
  });

  test.each([
    ["the stream stops", { chunks: [chatText("It depends [1]. But")] }, "model_cut"],
    ["the connection breaks", { chunks: [chatText("It depends [1]. But")], after: "break" }, "model_cut"],
    ["its length is reached", { chunks: [chatText("It depends [1]. But"), chatEnd("length")] }, "model_cut"],
    [
      "an error follows",
      { chunks: [chatText("It depends [1]. But"), 'data: {"error":{}}\n\n'] },
      "model_failed",
    ],
  ] as const)(
    "one that is cut off is stored as cut off, and no other server goes on: %s",
    async (_name, reply, code) => {
      const server = await startModel(reply);
      const second = await startModel(ANSWER);
      const agent = await openAgent(server, {
        AGENT_OPENAI_FALLBACK_BASE_URL: second.url,
        AGENT_OPENAI_FALLBACK_MODEL: "fake-2",
      });
      expect(await hear(agent)).toMatchObject({ text: "It depends [1].", fault: { code } });
      expect(server.calls).toHaveLength(1);
      const t = await openTestService({ agents: [agent] });
      const ann = await t.customer("ann");
      const id = await ann.start();
      await ann.say(id, QUESTION);
      await t.service.settled();
      const answer = (await ann.transcript(id)).messages.at(-1);
      expect(answer).toMatchObject({
        role: "agent",
        body: "It depends [1].",
        incomplete: true,
        notice: "agent_failed",
      });
      expect(second.calls).toEqual([]);
    },
  );

  test("the main job: a question at the service, an answer with its source in the log", async () => {
    const agent = await openAgent(await startModel());
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, QUESTION);
    await t.service.settled();
    const answer = (await ann.transcript(id)).messages.at(-1);
    expect(answer).toMatchObject({ role: "agent", author: { name: "AI assistant" } });
    expect(answer?.body).toMatch(/\[1\]\.$/);
    expect(answer?.citations).toHaveLength(1);
    expect(t.log.text()).toContain('"outputTokens":20');
  });
});

describe("before an answer has begun", () => {
  test.each([
    ["429 with Retry-After", { status: 429, headers: { "retry-after": "2" } }],
    ["429 without", { status: 429 }],
    ["408", { status: 408 }],
    ["409", { status: 409 }],
    ["500", { status: 500 }],
    ["503", { status: 503, chunks: ["<html>"] }],
    ["a connection that breaks", { after: "break" }],
    ["a stream that stops at once", {}],
    ["an error with 200", { chunks: ['data: {"error":{"type":"server_error"}}\n\n'] }],
    ["400 with x-should-retry", { status: 400, headers: { "x-should-retry": "true" } }],
  ] as const)("the same server is asked again after %s", async (_name, reply) => {
    const server = await startModel(reply, ANSWER);
    const agent = await openAgent(server, {}, { clock: createDeadlines() });
    expect(await hear(agent)).toMatchObject({
      text: "It depends on the country [1].",
      fault: undefined,
    });
    expect(server.calls).toHaveLength(2);
  });

  test.each([
    ["a used-up quota", { status: 429, chunks: ['{"error":{"code":"insufficient_quota"}}'] }, "model_quota"],
    [
      "a used-up quota with 200",
      { chunks: ['data: {"error":{"code":"insufficient_quota"}}\n\n'] },
      "model_quota",
    ],
    ["401", { status: 401 }, "model_refused"],
    ["a redirect", { status: 307, headers: { location: "https://evil.example" } }, "model_refused"],
    [
      "503 with x-should-retry: false",
      { status: 503, headers: { "x-should-retry": "false" } },
      "model_refused",
    ],
    ["429 for more than a minute", { status: 429, headers: { "retry-after": "120" } }, "model_refused"],
  ] as const)(
    "a server is not asked again after %s; the second one answers, if there is one",
    async (_name, reply, code) => {
      const server = await startModel(reply);
      expect(await hear(await openAgent(server))).toMatchObject({ text: "", fault: { code } });
      expect(server.calls).toHaveLength(1);
      const second = await startModel(ANSWER);
      const agent = await openAgent(server, {
        AGENT_OPENAI_FALLBACK_BASE_URL: second.url,
        AGENT_OPENAI_FALLBACK_MODEL: "fake-2",
        AGENT_OPENAI_FALLBACK_API_KEY: "sk-second",
      });
      expect((await hear(agent)).text).toBe("It depends on the country [1].");
      expect(second.calls[0]?.headers["authorization"]).toBe("Bearer sk-second");
      expect(second.calls[0]?.body.model).toBe("fake-2");
    },
  );

  test("the second server answers if the first one is silent", async () => {
    const clock = createDeadlines();
    const server = await startModel({ after: "hold" });
    const second = await startModel(ANSWER);
    const env = { AGENT_OPENAI_FALLBACK_BASE_URL: second.url, AGENT_OPENAI_FALLBACK_MODEL: "fake-2" };
    const hearing = hear(await openAgent(server, env, { clock }));
    await expect.poll(() => server.calls.length).toBe(1);
    clock.expire();
    expect((await hearing).text).toBe("It depends on the country [1].");
  });

  test("a server that stays silent is given up, also in the middle of an answer", async () => {
    const clock = createDeadlines();
    const silent = await startModel({ after: "hold" });
    const first = hear(await openAgent(silent, {}, { clock }));
    await expect.poll(() => silent.calls.length).toBe(1);
    clock.expire();
    expect(await first).toMatchObject({ text: "", fault: { code: "model_slow" } });
    const stuck = await startModel({ chunks: [chatText("It depends [1]. But")], after: "hold" });
    const events: AgentEvent[] = [];
    const second = hear(await openAgent(stuck, {}, { clock }), {}, undefined, events);
    await expect.poll(() => events.length).toBe(3);
    clock.expire();
    expect(await second).toMatchObject({ text: "It depends [1].", fault: { code: "model_slow" } });
  });

  test("an agent whose server is away says so, until it is found again", async () => {
    const clock = createManualClock();
    const server = await startModel();
    server.setAway(true);
    const agent = await openAgent(server, {}, { clock });
    await expect.poll(() => agent.unavailable()).toContain("answers 503");
    expect(agent.notes?.()).toHaveLength(1);
    server.setAway(false);
    clock.advance(30_000);
    await expect.poll(() => agent.unavailable()).toBeUndefined();
    const nowhere = await openAgent({ url: "http://127.0.0.1:1/v1" });
    await expect.poll(() => nowhere.unavailable()).toContain("can't be reached");
  });

  const openReached = async (server: FakeModelServer, clock: Clock = createDeadlines()) => {
    const log = createMemoryLog();
    const agent = await openAgent(server, {}, { clock, log });
    await expect.poll(() => log.text()).toContain("the model server was reached");
    return { agent, log };
  };

  test.each([400, 413, 422])(
    "a question that the server refuses says nothing about it: %i",
    async (status) => {
      const { agent } = await openReached(await startModel({ status }));
      for (let times = 0; times < 4; times += 1) {
        expect((await hear(agent)).fault).toMatchObject({ code: "model_refused" });
      }
      expect(agent.unavailable()).toBeUndefined();
      expect(agent.notes?.()).toEqual([]);
    },
  );

  test.each([
    [["other"], true],
    [["other", "fake-1"], false],
    [["fake-1:latest"], false],
    [[], false],
  ])("a model that the server does not list is a warning at the start: %j", async (models, isWarned) => {
    const server = await startModel();
    server.list(...models);
    const { log } = await openReached(server);
    expect(log.text().includes("the model server does not list the model")).toBe(isWarned);
  });

  test("the log of a failed answer has the status", async () => {
    const t = await openTestService({ agents: [await openAgent(await startModel({ status: 404 }))] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, QUESTION);
    await t.service.settled();
    expect(t.log.text()).toMatch(/an agent failed.*"code":"model_refused","status":404/);
  });

  test("a message that the server refuses leaves later questions answered, without it", async () => {
    const server = await startModel();
    server.reply(({ text }) => (text.includes("canary") ? { status: 400 } : ANSWER));
    const t = await openTestService({ agents: [await openAgent(server)] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answerTo = async (text: string) => {
      await ann.say(id, text);
      await t.service.settled();
      return (await ann.transcript(id)).messages.at(-1);
    };
    expect(await answerTo(`${QUESTION} First`)).toMatchObject({ body: "It depends on the country [1]." });
    expect(await answerTo(`${QUESTION} canary`)).toMatchObject({ notice: "agent_failed" });
    expect(server.calls).toHaveLength(2);
    for (const text of [`${QUESTION} Third`, `${QUESTION} Fourth`]) {
      expect(await answerTo(text)).toMatchObject({ body: "It depends on the country [1]." });
    }
    expect(server.calls.at(-1)?.text).toMatch(/First.*Third.*Fourth/);
  });

  test("what an outage left unanswered is sent with the next question", async () => {
    const server = await startModel({ status: 401 }, ANSWER);
    const t = await openTestService({ agents: [await openAgent(server)] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    for (const text of [`${QUESTION} First`, `${QUESTION} Second`]) {
      await ann.say(id, text);
      await t.service.settled();
    }
    expect(server.calls.map(({ text }) => text.includes("First"))).toEqual([true, true]);
  });

  test("the attempts of one question count as one failure, and three such questions as an outage", async () => {
    const server = await startModel({ status: 429 });
    const { agent } = await openReached(server);
    await hear(agent);
    await hear(agent);
    expect(server.calls).toHaveLength(6);
    expect(agent.unavailable()).toBeUndefined();
    await hear(agent);
    expect(agent.unavailable()).toContain("answered 429");
  });

  test.each([
    [401, "answered 401: check its key and the model fake-1"],
    [403, "answered 403: check its key and the model fake-1"],
    [404, "answered 404: check its key and the model fake-1"],
  ])(
    "a refused key or model is noted until an answer comes, also if the list of models is there: %i",
    async (status, sentence) => {
      const clock = createManualClock();
      const server = await startModel({ status });
      const { agent, log } = await openReached(server, clock);
      for (let times = 0; times < 3; times += 1) {
        expect(agent.unavailable()).toBeUndefined();
        await hear(agent);
        expect(agent.notes?.()).toEqual([expect.stringContaining(sentence)]);
      }
      expect(agent.unavailable()).toContain(sentence);
      expect(log.text()).toContain(`"status":${status}`);
      clock.advance(30_000);
      await expect.poll(() => agent.unavailable()).toBeUndefined();
      expect(agent.notes?.()).toEqual([expect.stringContaining(sentence)]);
      // A server that has given no answer since its outage is not tried on three more customers.
      await hear(agent);
      expect(agent.unavailable()).toContain(sentence);
      clock.advance(30_000);
      await expect.poll(() => agent.unavailable()).toBeUndefined();
      server.reply(ANSWER);
      await hear(agent);
      expect(agent.notes?.()).toEqual([]);
    },
  );
});

test.each(["hold", "break"] as const)(
  "an answer with its protocol's own end is whole, whatever the connection does afterwards: %s",
  async (after) => {
    const chunks = [chatText("It depends on the country [1]."), chatEnd("stop")];
    const server = await startModel({ chunks: [...chunks, "data: [DONE]\n\n"], after });
    const whole = await hear(await openAgent(server));
    expect(whole).toMatchObject({ text: "It depends on the country [1]." });
    expect(whole.fault).toBeUndefined();
  },
);

test("an answer that nobody waits for is ended at the model, too", async () => {
  const server = await startModel({ chunks: [chatText("It depends [1]. But")], after: "hold" });
  const agent = await openAgent(server);
  const stop = new AbortController();
  const hearing = hear(agent, {}, stop.signal);
  await expect.poll(() => server.calls.length).toBe(1);
  stop.abort();
  expect((await hearing).fault).toMatchObject({ name: "AbortError" });
  await expect.poll(() => server.left()).toBe(1);
});

describe("tools", () => {
  const lookUp = (run: () => Promise<unknown>): Tool => ({
    name: "shop.look_up",
    description: "Looks up an order.",
    inputSchema: { type: "object" },
    effect: "reads",
    run,
  });
  const cancel: Tool = {
    name: "shop.cancel",
    description: "Cancels an order.",
    inputSchema: { type: "object" },
    effect: "acts",
    confirm: "customer",
    accepts: () => true,
  };
  const calling = (name: string, input: object = { order: 7 }): ModelReply => ({
    chunks: [chatCall(name, input), chatEnd("tool_calls"), "data: [DONE]\n\n"],
  });

  test("a reading tool's result becomes a source, which the answer may name", async () => {
    const server = await startModel(
      calling("shop_look_up"),
      chatAnswer("It left on 24 May [2].", " It weighs 9 kg [2]."),
    );
    const ran: unknown[] = [];
    const tool: Tool = {
      ...lookUp(async () => ({ left: "24 May" })),
      effect: "reads",
      run: async (input) => ran.push(input) && { left: "24 May" },
    };
    const agent = await openAgent(server);
    const heard = await hear(agent, { text: "Xyzzy?", tools: [tool] });
    // Without a passage the tool's result is the first source, so [2] names no source.
    expect(heard.text).not.toContain("May");
    expect(ran).toEqual([{ order: 7 }]);
    server.reply(calling("shop_look_up"), chatAnswer("It left on 24 May [1].", " It weighs 9 kg [1]."));
    const again = await hear(agent, { text: "Xyzzy?", tools: [tool] });
    expect(again.text).toBe("It left on 24 May [1].");
    expect(again.events).toContainEqual({
      type: "citation",
      citation: { citationId: "tool-1", title: "shop.look_up" },
    });
  });

  test("a source is called by the tool's title", async () => {
    const server = await startModel(calling("shop_look_up"), chatAnswer("It left [1].", ""));
    const tool = { ...lookUp(async () => "It left"), title: "Orders" };
    const { events } = await hear(await openAgent(server), { text: "Xyzzy?", tools: [tool] });
    expect(events).toContainEqual({ type: "citation", citation: { citationId: "tool-1", title: "Orders" } });
  });

  test("the model gets an action's result, and may report it with that source", async () => {
    const server = await startModel(chatAnswer("Refund 77 was paid [1]. ", "The second one was not [2]."));
    const title = "Refund an order";
    const { text, events } = await hear(await openAgent(server), {
      text: "Xyzzy?",
      actions: [
        { tool: "shop_refund", title, state: "completed", text: "Refund 77 of 12 EUR" },
        { tool: "shop_refund", title, state: "unknown" },
      ],
    });
    expect(server.calls[0]?.text).toContain("Verified: it was done.");
    expect(server.calls[0]?.text).toContain("Nobody knows whether it was done.");
    expect(text).toBe("Refund 77 was paid [1]. The second one was not [2].");
    expect(events).toContainEqual({ type: "citation", citation: { citationId: "action-1", title } });
  });

  test("an acting tool is only asked for, and the answer says that nothing was done", async () => {
    const server = await startModel(calling("shop_cancel"), chatAnswer("It is cancelled."));
    const heard = await hear(await openAgent(server), { text: "Xyzzy?", tools: [cancel] });
    const requests = heard.events.filter(({ type }) => type === "action.requested");
    expect(requests).toMatchObject([{ tool: "shop.cancel", input: { order: 7 } }]);
    expect(heard.text).toContain("Nothing has been done yet");
  });

  test("an action that the team decides about asks nothing of the customer", async () => {
    const server = await startModel(calling("shop_cancel"), chatAnswer("It is cancelled."));
    const tools: Tool[] = [{ ...cancel, confirm: "person" }];
    const heard = await hear(await openAgent(server), { text: "Xyzzy?", tools });
    expect(heard.text).toBe("Nothing has been done yet. A teammate has to decide first.");
    expect(server.calls[1]?.text).toContain("The team is asked to confirm it.");
  });

  test("an action that gets no card is not announced to the customer", async () => {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const server = await startModel(calling("shop_refund", { order: "1001" }), chatAnswer("Sure."));
    const t = await openTestService({ agents: [await openAgent(server)], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Xyzzy?");
    await t.service.settled();
    const { messages, actions = [] } = await ann.transcript(id);
    expect(actions).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ notice: "agent_found_nothing" });
    expect(server.calls[1]?.text).toContain("does not match the tool's schema");
  });

  test.each([
    ["does not exist", calling("refund")],
    ["fails", calling("shop_look_up")],
    [
      "gets no JSON",
      {
        chunks: [
          'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"shop_look_up","arguments":"{\\"or"}}]},"finish_reason":"tool_calls"}]}\n\n',
        ],
      },
    ],
  ])("the model hears that a tool %s, and goes on", async (_name, reply) => {
    const server = await startModel(reply, ANSWER);
    const tool = lookUp(() => Promise.reject(new Error("canary")));
    const heard = await hear(await openAgent(server), { tools: [tool] });
    expect(heard.text).toBe("It depends on the country [1].");
    expect(server.calls[1]?.text).not.toContain("canary");
    expect(heard.events.filter(({ type }) => type === "action.requested")).toEqual([]);
  });

  test("a model that only ever calls tools comes to an end", async () => {
    let runs = 0;
    const server = await startModel(calling("shop_look_up"));
    const tool = lookUp(async () => {
      runs += 1;
      return "x".repeat(100_000);
    });
    const heard = await hear(await openAgent(server), { tools: [tool] });
    expect(heard.events.at(-1)).toEqual({ type: "nothing.found" });
    expect(runs).toBeLessThanOrEqual(8);
    expect(server.calls).toHaveLength(5);
  });
});

describe("limits of tokens", () => {
  const limited = (name: string) => ({ [`AGENT_OPENAI_${name}_TOKENS`]: "3000" });
  // Each answer takes more than a third of the limit.
  const costly: ModelReply = {
    chunks: [
      chatText("It depends [1]."),
      chatEnd("stop"),
      'data: {"choices":[],"usage":{"prompt_tokens":2900,"completion_tokens":50}}\n\n',
    ],
  };

  test.each([
    ["CONVERSATION", { conversationId: "c2" }],
    ["CUSTOMER", { customerId: "bob" }],
  ])("%s: no more calls, an honest sentence and a person; others are still answered", async (name, other) => {
    const server = await startModel(costly);
    const log = createMemoryLog();
    const agent = await openAgent(server, limited(name), { log });
    expect((await hear(agent)).text).toBe("It depends [1].");
    const heard = await hear(agent);
    expect(heard.text).toContain("reached their limit");
    expect(typesOf(heard)).toEqual(["delta", "handoff.suggested"]);
    expect(server.calls).toHaveLength(1);
    expect(log.text()).toContain(`"limit":"${name.toLowerCase()}"`);
    expect((await hear(agent, other)).text).toBe("It depends [1].");
  });

  test("DAY: the limit applies to everybody together, survives a restart and ends with the day", async () => {
    const server = await startModel(costly);
    const clock = createManualClock();
    const dataDir = folder();
    await hear(await openAgent(server, limited("DAY"), { clock, dataDir }));
    const agent = await openAgent(server, limited("DAY"), { clock, dataDir });
    expect((await hear(agent, { conversationId: "c2", customerId: "bob" })).text).toContain("limit");
    expect(server.calls).toHaveLength(1);
    clock.advance(24 * 60 * 60 * 1000);
    expect((await hear(agent)).text).toBe("It depends [1].");
  });

  test("a broken file of today's tokens counts as none", async () => {
    const dataDir = folder();
    const server = await startModel(costly);
    const agent = await openAgent(server, limited("DAY"), { dataDir });
    await hear(agent);
    writeFileSync(join(dataDir, "agent-openai", "spent.json"), "{");
    expect((await hear(await openAgent(server, limited("DAY"), { dataDir }))).text).toBe("It depends [1].");
  });

  test("an answer that was cut off counts by its length", async () => {
    const server = await startModel({ chunks: [chatText(`It depends [1]. ${"x".repeat(9000)}`)] });
    const agent = await openAgent(server, limited("CONVERSATION"));
    await hear(agent);
    expect((await hear(agent)).text).toContain("limit");
  });
});

describe("the configuration", () => {
  const faultsOf = (env: Record<string, string>) => {
    const reader = createEnvironmentReader(env, () => {
      throw new Error("ENOENT");
    });
    openaiProvider.configure(reader);
    return reader.faults.map(({ name }) => name);
  };
  const GOOD = { AGENT_OPENAI_BASE_URL: "http://localhost:11434", AGENT_OPENAI_MODEL: "m" };

  test.each([
    [{}, ["AGENT_OPENAI_MODEL", "AGENT_OPENAI_BASE_URL"]],
    [{ AGENT_OPENAI_BASE_URL: "localhost:11434" }, ["AGENT_OPENAI_MODEL", "AGENT_OPENAI_BASE_URL"]],
    [
      { ...GOOD, AGENT_OPENAI_FALLBACK_API_KEY: "sk-x" },
      ["AGENT_OPENAI_FALLBACK_MODEL", "AGENT_OPENAI_FALLBACK_BASE_URL"],
    ],
    [GOOD, []],
    [{ AGENT_OPENAI_BASE_URL: "localhost:11434", AGENT_OPENAI_MODEL: "m" }, ["AGENT_OPENAI_BASE_URL"]],
    [{ ...GOOD, AGENT_OPENAI_BASE_URL: "https://a:b@x.example" }, ["AGENT_OPENAI_BASE_URL"]],
    [{ AGENT_OPENAI_BASE_URL: "http://localhost" }, ["AGENT_OPENAI_MODEL"]],
    [{ ...GOOD, AGENT_OPENAI_FALLBACK_MODEL: "m" }, ["AGENT_OPENAI_FALLBACK_BASE_URL"]],
    [{ ...GOOD, AGENT_OPENAI_FALLBACK_BASE_URL: "http://x" }, ["AGENT_OPENAI_FALLBACK_MODEL"]],
    [{ ...GOOD, AGENT_OPENAI_API: "grpc" }, ["AGENT_OPENAI_API"]],
    [{ ...GOOD, AGENT_INSTRUCTIONS: "/nowhere" }, ["AGENT_INSTRUCTIONS"]],
    [{ ...GOOD, AGENT_OPENAI_DAY_TOKENS: "many" }, ["AGENT_OPENAI_DAY_TOKENS"]],
  ])("%j has the faults %j", (env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });
});
