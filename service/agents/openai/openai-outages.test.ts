import { describe, expect, test } from "vitest";
import type { Clock } from "../../../shared/server/clock.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import { openTestService } from "../../testing/test-service.ts";
import type { AgentEvent } from "../agent.ts";
import { createDeadlines } from "./testing/deadlines.ts";
import { chatEnd, chatText, type FakeModelServer } from "./testing/fake-model-server.ts";
import { ANSWER, hear, openAgent, QUESTION, startModel } from "./testing/openai-bench.ts";

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

  test("an answer that ends at its limit, with thoughts only, is not asked for again; its tokens count", async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":4096}}\n\n';
    const server = await startModel({ chunks: [chatEnd("length"), usage, "data: [DONE]\n\n"] });
    const second = await startModel(ANSWER);
    const env = { AGENT_OPENAI_FALLBACK_BASE_URL: second.url, AGENT_OPENAI_FALLBACK_MODEL: "fake-2" };
    const { events } = await hear(await openAgent(server, env, { clock: createDeadlines() }));
    expect(server.calls).toHaveLength(1);
    const used = { model: "fake-1", inputTokens: 200, outputTokens: 4116 };
    expect(events.find(({ type }) => type === "usage")).toEqual({ type: "usage", ...used });
  });

  test("the tokens of each attempt count where none gives an answer", async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":900}}\n\n';
    const server = await startModel({ chunks: [usage] });
    const env = { AGENT_OPENAI_CONVERSATION_TOKENS: "3000" };
    const agent = await openAgent(server, env, { clock: createDeadlines() });
    expect(await hear(agent)).toMatchObject({ fault: { code: "model_cut" } });
    expect(server.calls).toHaveLength(3);
    expect((await hear(agent)).text).toContain("limit");
  });

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
    // Without the address: anybody can read the notes of /readyz.
    const sentence = "The model server of AGENT_OPENAI_BASE_URL answers 503.";
    await expect.poll(() => agent.unavailable()).toBe(sentence);
    expect(agent.notes?.()).toEqual([sentence]);
    server.setAway(false);
    clock.advance(30_000);
    await expect.poll(() => agent.unavailable()).toBeUndefined();
    const nowhere = await openAgent({ url: "http://127.0.0.1:1/v1" });
    await expect
      .poll(() => nowhere.unavailable())
      .toBe("The model server of AGENT_OPENAI_BASE_URL can't be reached.");
  });

  test("a look that runs out of time does not make a server away: this process may be the busy one", async () => {
    const clock = createDeadlines();
    const log = createMemoryLog();
    const agent = await openAgent(await startModel(ANSWER), {}, { clock, log });
    // As in a process that was busy: its timer comes first, and the server's answer waits unread.
    clock.expire();
    await expect.poll(() => log.text()).toContain('"code":"model_slow"');
    expect(agent.unavailable()).toBeUndefined();
    expect((await hear(agent)).text).toBe("It depends on the country [1].");
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
