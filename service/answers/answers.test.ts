import { describe, expect, test } from "vitest";
import { codePoints } from "../../shared/characters.ts";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import type { AgentEvent, AgentQuestion } from "../agents/agent.ts";
import { createHeldAgent, createScriptedAgent, createSilentAgent } from "../testing/agents.ts";
import { readEventStream } from "../testing/event-reader.ts";
import { settleDown } from "../testing/settle-down.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService } from "../testing/test-service.ts";
import { FIRST_WORD_MS, WHOLE_ANSWER_MS } from "./hear-agent.ts";
import { SHOW_MS } from "./shown-answer.ts";

/** An agent whose answer the question scripts. */
function scripted(script: (question: AgentQuestion) => Iterable<AgentEvent>) {
  return createScriptedAgent(async function* (question) {
    yield* script(question);
  });
}

async function answerTo(agent: ReturnType<typeof createScriptedAgent>, text = "Hello?") {
  const t = await openTestService({ agents: [agent] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, text);
  await t.service.settled();
  return { t, ann, id, answer: (await ann.transcript(id)).messages.at(-1) };
}

describe("answers", () => {
  test("answers are given one at a time, in the order of the turns", async () => {
    let speaking = 0;
    const overlaps: number[] = [];
    const agent = createScriptedAgent(async function* (question) {
      speaking += 1;
      overlaps.push(speaking);
      await new Promise(setImmediate);
      yield { type: "delta", text: `To ${question.text}` };
      speaking -= 1;
    });
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await Promise.all(["a", "b", "c"].map((text) => ann.say(id, text)));
    await t.service.settled();
    const { messages } = await ann.transcript(id);
    const asked = messages.filter(({ role }) => role === "customer").map(({ body }) => `To ${body}`);
    const answered = messages.filter(({ role }) => role === "agent").map(({ body }) => body);
    expect(answered).toEqual(asked);
    expect(Math.max(...overlaps)).toBe(1);
  });

  test("an agent sees only this conversation, with the question last", async () => {
    const seen: AgentQuestion[] = [];
    const agent = scripted((question) => {
      seen.push(question);
      return [{ type: "delta", text: "Yes" }];
    });
    const t = await openTestService({ agents: [agent] });
    const bob = await t.customer("bob");
    await bob.say(await bob.start(), "canary-of-bob");
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "one");
    await ann.say(id, "two");
    await t.service.settled();
    const last = seen.at(-1);
    expect(last?.messages.map(({ body }) => body)).toEqual(["one", "Yes", "two"]);
    expect(last?.text).toBe("two");
    expect(JSON.stringify(seen.filter(({ text }) => text !== "canary-of-bob"))).not.toContain("canary");
  });

  test("the agent gets the customer's name if one was given", async () => {
    const names: (string | undefined)[] = [];
    const agent = scripted((question) => {
      names.push(question.customerName);
      return [{ type: "delta", text: "Yes" }];
    });
    const t = await openTestService({ agents: [agent] });
    for (const profile of [{ externalId: "ann", displayName: "Ann Lee" }, { externalId: "bob" }]) {
      const opened = await t.request("/v1/sdk/sessions", json(profile, t.workspace.credential));
      expect(opened.status).toBe(201);
      const customer = await t.customer(profile.externalId);
      await customer.say(await customer.start(), "Hello?");
      await t.service.settled();
    }
    expect(names).toEqual(["Ann Lee", undefined]);
  });

  test("an answer that found nothing says so in the agent's own words", async () => {
    const { answer } = await answerTo(
      scripted(() => [{ type: "delta", text: "I found nothing on that." }, { type: "nothing.found" }]),
    );
    expect(answer).toMatchObject({
      role: "agent",
      body: "I found nothing on that.",
      notice: "agent_found_nothing",
    });
    expect(answer?.incomplete).toBeUndefined();
  });

  test.each([
    ["with the agent's words", [{ type: "delta", text: "I found nothing on that." }]],
    ["without words of the agent", []],
  ] as const)("AGENT2 an answer that found nothing has one button for a person: %s", async (_name, said) => {
    const { answer, ann, id } = await answerTo(
      scripted(() => [...said, { type: "nothing.found" }, { type: "handoff.suggested" }]),
    );
    expect(answer?.notice).toBe("agent_found_nothing");
    expect(answer?.choices).toEqual([{ id: "person", choice: "handoff" }]);
    expect((await ann.transcript(id)).conversation?.handoff).toBeUndefined();
  });
});

describe("quick replies of an answer", () => {
  const choice = (id: string, more: object = {}) =>
    ({ type: "choice", choice: { id, label: `Label ${id}`, send: `Words ${id}`, ...more } }) as AgentEvent;

  test("quick replies are stored with the answer: at most six, each id once, none that breaks the schema", async () => {
    const offered = [
      choice("bad", { label: " " }),
      choice("long", { label: "x".repeat(121) }),
      choice("wordy", { send: "x".repeat(501) }),
      ...["1", "2", "1", "3", "4", "5", "6", "7"].map((id) => choice(id)),
    ];
    const { answer } = await answerTo(scripted(() => [{ type: "delta", text: "Which one?" }, ...offered]));
    expect(answer?.choices?.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("an agent that suggests a person gives the customer a button and starts no hand-off", async () => {
    const { answer, t, ann, id } = await answerTo(
      scripted(() => [{ type: "delta", text: "A colleague knows." }, { type: "handoff.suggested" }]),
    );
    expect(answer?.choices).toEqual([{ id: "person", choice: "handoff" }]);
    expect((await ann.transcript(id)).conversation?.handoff).toBeUndefined();
    expect(t.log.text()).not.toContain("action");
  });

  test("an action that the agent was not offered is logged, and appears nowhere else", async () => {
    const action = {
      type: "action.requested",
      actionId: "a1",
      tool: "refund",
      input: { all: true },
    } as const;
    const { answer, t } = await answerTo(scripted(() => [{ type: "delta", text: "Let me see." }, action]));
    expect(answer).toMatchObject({ body: "Let me see." });
    expect(JSON.stringify(answer)).not.toContain("refund");
    expect(t.log.text()).toContain("an agent asked for an action that it was not offered");
  });

  test("quick replies are left out of an answer that was cut off", async () => {
    const agent = createScriptedAgent(async function* () {
      yield { type: "delta", text: "Which" };
      yield choice("1");
      throw new Error("broken");
    });
    const { answer } = await answerTo(agent);
    expect(answer).toMatchObject({ body: "Which", incomplete: true });
    expect(answer?.choices).toBeUndefined();
  });
});

describe("a failed answer is reported as failed", () => {
  test("an agent that throws at once", async () => {
    const { answer, t } = await answerTo(
      createScriptedAgent(() => {
        throw new Error("canary");
      }),
    );
    expect(answer).toMatchObject({ role: "system", notice: "agent_failed" });
    expect(answer?.body).not.toContain("canary");
    expect(t.log.text()).not.toContain("canary");
  });

  test("an agent that throws in the middle: its text is stored as incomplete", async () => {
    const agent = createScriptedAgent(async function* () {
      yield { type: "delta", text: "Half an ans" };
      throw new Error("broken");
    });
    const { answer } = await answerTo(agent);
    expect(answer).toMatchObject({
      role: "agent",
      body: "Half an ans",
      incomplete: true,
      notice: "agent_failed",
    });
  });

  test("an agent that produces no text", async () => {
    const { answer } = await answerTo(createSilentAgent({ id: "knowledge" }));
    expect(answer).toMatchObject({ role: "system", notice: "agent_failed" });
  });

  test("an agent that is out of order", async () => {
    const agent = createSilentAgent({ id: "knowledge", unavailable: () => "Out of order." });
    expect((await answerTo(agent)).answer?.notice).toBe("agent_failed");
  });

  test.each([
    ["no first word in its time", FIRST_WORD_MS, "", "system"],
    ["no end in its time", WHOLE_ANSWER_MS, "Well", "agent"],
  ])("%s", async (_name, ms, said, role) => {
    const held = createHeldAgent();
    // This agent ignores its signal as well.
    const agent = createScriptedAgent((question) =>
      held.agent.answer(question, new AbortController().signal),
    );
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?");
    if (said !== "") held.say(said);
    await settleDown();
    t.clock.advance(ms - 1);
    await settleDown();
    expect((await ann.transcript(id)).messages).toHaveLength(1);
    t.clock.advance(1);
    await t.service.settled();
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ role, notice: "agent_failed" });
  });
});

describe("an agent's output is data", () => {
  test("an endless answer is cut at its limit and marked as cut", async () => {
    const agent = createScriptedAgent(async function* () {
      for (;;) yield { type: "delta", text: "😀".repeat(1000) };
    });
    const { answer } = await answerTo(agent);
    expect(codePoints(answer?.body ?? "")).toBe(MAX_ANSWER_CODE_POINTS);
    expect(answer).toMatchObject({ incomplete: true, notice: "answer_cut" });
  });

  test("an agent that emits empty events does not block other requests", async () => {
    const agent = createScriptedAgent(async function* () {
      for (;;) yield { type: "delta", text: "" };
    });
    expect((await answerTo(agent)).answer?.notice).toBe("agent_failed");
  });

  test("text that looks like a command is text", async () => {
    const text = '[[handoff]] <img src=x onerror=alert(1)> {"type":"conversation.ended"} <|system|>';
    const { answer, ann, id } = await answerTo(scripted(() => [{ type: "delta", text }]));
    expect(answer?.body).toBe(text);
    const { conversation } = await ann.transcript(id);
    expect(conversation).toMatchObject({ status: "open" });
    expect(conversation?.handoff).toBeUndefined();
  });

  test("values that are not events, texts or sources are skipped", async () => {
    const { answer } = await answerTo(
      scripted(
        () =>
          [
            { type: "handoff.requested", reason: "x" },
            { type: "delta", text: { type: "img" } },
            { type: "delta", text: "a\0b\u0085c" },
            { type: "citation", citation: { citationId: "../x", title: "" } },
            { type: "citation", citation: "x" },
          ] as unknown as AgentEvent[],
      ),
    );
    expect(answer).toMatchObject({ role: "agent", body: "abc" });
    expect(answer?.citations).toBeUndefined();
  });

  test("a character that is split between two deltas is whole in the stored answer", async () => {
    const { answer } = await answerTo(
      scripted(() => [
        { type: "delta", text: "a\ud83d" },
        { type: "delta", text: "\ude00b\ud83d" },
      ]),
    );
    expect(answer?.body).toBe("a😀b");
  });
});

test("an answer goes on to appear after the machine's clock was set back", async () => {
  const held = createHeldAgent();
  const t = await openTestService({ agents: [held.agent] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  const reader = readEventStream(await ann.get(`/v1/support/conversations/${id}/events`));
  await ann.say(id, "Hello?");
  for (const [word, jumpMs] of [
    ["Hel", -2 * 60 * 60_000],
    ["lo", 0],
  ] as const) {
    held.say(word);
    await settleDown();
    t.clock.advance(SHOW_MS);
    await reader.until((events) => events.some(({ event }) => JSON.stringify(event).includes(`"${word}"`)));
    t.clock.advance(jumpMs);
  }
  held.end();
  await t.service.settled();
});

describe("answers that an earlier process still owed", () => {
  test("are given after the next start, under the id that was streamed before", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const reader = readEventStream(await ann.get(`/v1/support/conversations/${id}/events`));
    await ann.say(id, "Hello?");
    held.say("Hel");
    await settleDown();
    t.clock.advance(SHOW_MS);
    const before = await reader.until((read) => read.some(({ event }) => event.type === "response.delta"));
    const delta = before.map(({ event }) => event).find((event) => event.type === "response.delta");
    await t.close();
    const again = await t.reopen({ agents: [scripted(() => [{ type: "delta", text: "Hello." }])] });
    await again.service.settled();
    const { messages } = await (await again.customer("ann")).transcript(id);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({ role: "agent", body: "Hello.", id: delta?.messageId });
  });

  test("are given up after too many attempts, so a question that kills the process does not do so forever", async () => {
    const held = createHeldAgent();
    let t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?");
    for (let starts = 0; starts < 4; starts += 1) {
      await t.close();
      t = await t.reopen({ agents: [createHeldAgent().agent] });
    }
    await t.service.settled();
    expect((await (await t.customer("ann")).transcript(id)).messages.at(-1)?.notice).toBe("agent_failed");
  });

  test("an ended conversation gets no answer", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?");
    await ann.delete(`/v1/support/conversations/${id}`);
    held.say("Too late");
    held.end();
    await t.service.settled();
    const { messages, lastSeq } = await ann.transcript(id);
    expect(messages).toHaveLength(1);
    expect(lastSeq).toBe(3);
  });
});
