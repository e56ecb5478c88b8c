import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../shared/server/clock.ts";
import { systemClock } from "../../../shared/server/clock.ts";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { listenOnFreePort } from "../../../shared/testing/listen.ts";
import { WHOLE_ANSWER_MS } from "../../answers/hear-agent.ts";
import { readWebhookKey, verifyStandardWebhook } from "../../http/standard-webhook.ts";
import { agentDepsOf, questionOf } from "../../testing/agents.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { openTestService } from "../../testing/test-service.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agent.ts";
import { httpProvider } from "./http-provider.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const DELTA = '{"type":"response.delta","delta":"Half "}\n';
const WHOLE = `${DELTA}{"type":"response.completed"}\n`;

interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly isHeld?: boolean;
}

async function startAgent({
  status = 200,
  type = "application/x-ndjson",
  body = WHOLE,
  isHeld = false,
}: Reply = {}) {
  const calls: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  let left = 0;
  let say: (text: string) => void = () => undefined;
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      calls.push({ headers: request.headers, body: bytes });
      response.on("close", () => {
        if (!response.writableFinished) left += 1;
      });
      response.writeHead(status, { "content-type": type, location: "https://elsewhere.example" });
      response.write(body);
      say = (text) => void response.write(text);
      if (!isHeld) response.end();
    });
  });
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  return {
    url: `${url}/answer?v=1`,
    calls,
    left: () => left,
    say: (text: string) => say(text),
    become: (next: number) => {
      status = next;
    },
  };
}

async function open(url: string, clock: Clock = systemClock): Promise<Agent> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const reader = createEnvironmentReader({ AGENT_HTTP_URL: url, AGENT_HTTP_SECRET: SECRET }, () => "");
  const agent = httpProvider.configure(reader).open(agentDepsOf({ clock, stopping: stopping.signal }));
  expect(reader.faults).toEqual([]);
  return agent;
}

async function hear(
  agent: Agent,
  more: Partial<AgentQuestion> = {},
  signal = new AbortController().signal,
  events: AgentEvent[] = [],
): Promise<{ text: string; fault: unknown }> {
  let fault: unknown;
  try {
    for await (const event of agent.answer(questionOf("Hello?", more), signal)) events.push(event);
  } catch (error) {
    fault = error;
  }
  return { text: events.map((event) => (event.type === "delta" ? event.text : "")).join(""), fault };
}

/** Deadlines pass when the test says so. */
function createDeadlines(): Clock & { expire(): void } {
  const held = new Set<() => void>();
  return {
    now: () => Date.now(),
    after(_ms, run) {
      held.add(run);
      return () => void held.delete(run);
    },
    every: () => () => undefined,
    expire() {
      for (const run of held) run();
    },
  };
}

describe("the owner's agent", () => {
  test("loses only the buttons that have another form, not its answer", async () => {
    const good = { id: "hours", label: "Opening hours", send: "When are you open?" };
    const choices = [{ ...good, label: "x".repeat(121) }, good, { id: "none" }, null];
    const server = await startAgent({ body: `${JSON.stringify({ type: "choices", choices })}\n${WHOLE}` });
    const events: AgentEvent[] = [];
    const heard = await hear(await open(server.url), {}, undefined, events);
    expect(heard).toEqual({ text: "Half ", fault: undefined });
    expect(events.filter(({ type }) => type === "choice")).toEqual([{ type: "choice", choice: good }]);
  });

  test("is called with a signature over the conversation, as AG-UI writes it", async () => {
    const server = await startAgent();
    const at = new Date(0).toISOString();
    const messages = [
      { id: "m1", seq: 1, at, role: "customer", body: "Hi" },
      { id: "m2", seq: 2, at, role: "agent", body: "Hello" },
      { id: "m3", seq: 3, at, role: "customer", body: "Hello?" },
    ] as const;
    const actions = [{ tool: "shop_refund", title: "Refund", state: "completed", text: "77" }] as const;
    const asked = {
      messages,
      actions: actions.map((action) => ({ ...action, input: {} })),
      customerName: "Ann",
    };
    expect((await hear(await open(server.url), asked)).text).toBe("Half ");
    const [call] = server.calls;
    const key = readWebhookKey(SECRET) ?? expect.unreachable();
    const headers = new Headers(call?.headers as Record<string, string>);
    const body = new Uint8Array(call?.body ?? []);
    expect(verifyStandardWebhook({ headers, body }, key, Date.now())).toBe("m3");
    expect(() => verifyStandardWebhook({ headers, body }, Buffer.alloc(32, 8), Date.now())).toThrow();
    expect(JSON.parse(String(call?.body))).toEqual({
      threadId: "c1",
      runId: "m3",
      state: {},
      messages: [
        { id: "m1", role: "user", content: "Hi" },
        { id: "m2", role: "assistant", content: "Hello" },
        { id: "m3", role: "user", content: "Hello?" },
      ],
      tools: [],
      context: [
        {
          description: "An action of this conversation, and what verifiably became of it",
          value: JSON.stringify(actions[0]),
        },
      ],
      forwardedProps: {
        locale: "en",
        customerName: "Ann",
        turn: { clientMessageId: "m3", content: { body: "Hello?", format: "plain" }, attachments: [] },
      },
    });
  });

  test.each([
    ["only its first AG-UI chunk has an id", [{ toolCallId: "a", toolCallName: "cancel" }]],
    ["only another call has an id", [{ toolCallId: "a", toolCallName: "find" }, { toolCallName: "cancel" }]],
  ])("asks for an action with the whole input, also where %s", async (_where, begin) => {
    const chunks = [...begin, { delta: '{"order"' }, { delta: ":7}" }];
    const sent = [
      ...chunks.map((chunk) => ({ type: "TOOL_CALL_CHUNK", ...chunk })),
      { type: "RUN_FINISHED" },
    ];
    const body = sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const server = await startAgent({ type: "text/event-stream", body });
    const facts = { name: "cancel", title: "Cancel", description: "", inputSchema: {} };
    const tools = [{ ...facts, effect: "acts", confirm: "customer", accepts: () => true }] as const;
    const events: AgentEvent[] = [];
    await hear(await open(server.url), { tools }, undefined, events);
    expect(events).toMatchObject([{ type: "action.requested", tool: "cancel", input: { order: 7 } }]);
  });

  test("is told that a person of the team asks for a draft", async () => {
    const server = await startAgent();
    await hear(await open(server.url), { isDraft: true });
    expect(JSON.parse(String(server.calls[0]?.body))).toMatchObject({ forwardedProps: { isDraft: true } });
  });

  test("may answer with AG-UI events instead", async () => {
    const body = [
      { type: "TEXT_MESSAGE_CHUNK", messageId: "m", delta: "Half " },
      { type: "RUN_FINISHED" },
    ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const server = await startAgent({ type: "text/event-stream; charset=utf-8", body: body.join("") });
    expect(await hear(await open(server.url))).toEqual({ text: "Half ", fault: undefined });
  });

  test.each([
    ["an error", { status: 500 }, "agent_refused"],
    ["a redirect", { status: 307 }, "agent_refused"],
    ["another type", { type: "text/html" }, "agent_malformed"],
    ["a cut answer", { body: DELTA }, "agent_cut"],
    ["an endless line", { body: "x".repeat(600_000) }, "agent_malformed"],
    ["a huge answer", { body: `${DELTA}${`${" ".repeat(1000)}\n`.repeat(4300)}` }, "agent_malformed"],
  ])("is called once and not believed: %s", async (_name, reply, code) => {
    const server = await startAgent(reply);
    expect((await hear(await open(server.url))).fault).toMatchObject({ code });
    expect(server.calls).toHaveLength(1);
  });

  test("that stops in the middle gives an answer that is stored as cut off", async () => {
    const t = await openTestService({ agents: [await open((await startAgent({ body: DELTA })).url)] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?");
    await t.service.settled();
    const answer = (await ann.transcript(id)).messages.at(-1);
    expect(answer).toMatchObject({ role: "agent", body: "Half ", incomplete: true, notice: "agent_failed" });
  });

  test("that is silent is given up, before and in the middle of its answer", async () => {
    const clock = createDeadlines();
    for (const body of ["", DELTA]) {
      const server = await startAgent({ body, isHeld: true });
      const events: AgentEvent[] = [];
      const hearing = hear(await open(server.url, clock), {}, undefined, events);
      await expect.poll(() => server.calls.length).toBe(1);
      await expect.poll(() => events.length).toBe(body === "" ? 0 : 1);
      clock.expire();
      expect((await hearing).fault).toMatchObject({ code: "agent_slow" });
      await expect.poll(() => server.left()).toBe(1);
    }
  });

  test.each([
    ["lines", {}],
    ["AG-UI", { type: "text/event-stream", body: `data: {"type":"RUN_FINISHED"}\n\n` }],
  ])("that leaves the connection open after its answer in %s has answered", async (_form, reply) => {
    const server = await startAgent({ ...reply, isHeld: true });
    expect((await hear(await open(server.url))).fault).toBeUndefined();
    await expect.poll(() => server.left()).toBe(1);
  });

  test("that adds a word before each of its deadlines is given up at the one of the whole answer", async () => {
    const server = await startAgent({ body: DELTA, isHeld: true });
    const clock = createManualClock();
    const agent = await open(server.url, clock);
    let words = 0;
    const counted: Agent = {
      ...agent,
      async *answer(question, signal) {
        for await (const event of agent.answer(question, signal)) {
          words += 1;
          yield event;
        }
      },
    };
    const t = await openTestService({ agents: [counted], clock });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?");
    const step = 12_000;
    for (let at = step; at <= WHOLE_ANSWER_MS; at += step) {
      if (at > step) server.say(DELTA);
      await expect.poll(() => words).toBe(at / step);
      expect((await ann.transcript(id)).messages).toHaveLength(1);
      clock.advance(step);
    }
    await t.service.settled();
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({
      role: "agent",
      body: "Half ".repeat(WHOLE_ANSWER_MS / step),
      incomplete: true,
      notice: "agent_failed",
    });
    await expect.poll(() => server.left()).toBe(1);
  });

  test("hears when nobody waits any more", async () => {
    const server = await startAgent({ body: DELTA, isHeld: true });
    const stop = new AbortController();
    const hearing = hear(await open(server.url), {}, stop.signal);
    await expect.poll(() => server.calls.length).toBe(1);
    stop.abort();
    expect((await hearing).fault).toMatchObject({ name: "AbortError" });
    await expect.poll(() => server.left()).toBe(1);
  });

  test("gets no new conversations after three failures in a row, which are noted with the status", async () => {
    const agent = await open((await startAgent({ status: 503 })).url);
    for (let times = 0; times < 3; times += 1) {
      expect(agent.unavailable()).toBeUndefined();
      expect(agent.notes?.()).toEqual([]);
      expect((await hear(agent)).fault).toMatchObject({ code: "agent_refused", status: 503 });
    }
    expect(agent.unavailable()).toBe("The agent at AGENT_HTTP_URL gives no answers: The agent answered 503.");
    expect(agent.notes?.()).toEqual([agent.unavailable()]);
  });

  test("that was away gets new conversations once the machine's clock is set back by hours", async () => {
    let now = Date.now();
    const agent = await open((await startAgent({ status: 503 })).url, { ...systemClock, now: () => now });
    for (let times = 0; times < 3; times += 1) await hear(agent);
    expect(agent.unavailable(), "control").toBeDefined();
    now -= 2 * 60 * 60_000;
    expect(agent.unavailable()).toBeUndefined();
  });

  test.each([400, 413, 422])(
    "goes on for others when one customer's questions are refused, which is noted: %s",
    async (status) => {
      const agent = await open((await startAgent({ status })).url);
      for (let times = 0; times < 4; times += 1) {
        expect((await hear(agent)).fault).toMatchObject({ code: "agent_refused", status });
      }
      expect(agent.unavailable()).toBeUndefined();
      expect(agent.notes?.()).toEqual([
        expect.stringContaining(`gives no answers: The agent answered ${status}.`),
      ]);
    },
  );

  test("stays with one failure after questions that were refused", async () => {
    const server = await startAgent({ status: 413 });
    const agent = await open(server.url);
    for (let times = 0; times < 3; times += 1) await hear(agent);
    server.become(503);
    await hear(agent);
    expect(agent.unavailable()).toBeUndefined();
    for (let times = 0; times < 2; times += 1) await hear(agent);
    expect(agent.unavailable(), "control").toBeDefined();
  });
});

test.each([
  [{}, ["AGENT_HTTP_URL", "AGENT_HTTP_SECRET"]],
  [{ AGENT_HTTP_URL: "ftp://x", AGENT_HTTP_SECRET: SECRET }, ["AGENT_HTTP_URL"]],
  [{ AGENT_HTTP_URL: "http://a:b@x", AGENT_HTTP_SECRET: SECRET }, ["AGENT_HTTP_URL"]],
  [{ AGENT_HTTP_URL: "http://x", AGENT_HTTP_SECRET: "short" }, ["AGENT_HTTP_SECRET"]],
])("%j has the faults %j", (env, faults) => {
  const reader = createEnvironmentReader(env, () => "");
  httpProvider.configure(reader);
  expect(reader.faults.map(({ name }) => name)).toEqual(faults);
});
