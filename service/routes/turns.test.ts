import { describe, expect, test, vi } from "vitest";
import { sendTurn, TurnEvent } from "../../shared/v1/turns.ts";
import { SHOW_MS } from "../answers/shown-answer.ts";
import { createHub } from "../live/hub.ts";
import { createHeldAgent, createScriptedAgent } from "../testing/agents.ts";
import { settleDown } from "../testing/settle-down.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const turnPath = (id: string) => `/v1/support/conversations/${id}/turns`;
const turnOf = (clientMessageId: string, body: string) => ({
  clientMessageId,
  content: { body, format: "plain" },
});
const NDJSON = { accept: "application/x-ndjson" };

async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

describe("turns work", () => {
  test("Accept: application/json returns the stored message at once, and the answer follows in the log", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), { accept: "application/json" });
    expect(answer.status).toBe(201);
    const { message } = sendTurn.answer.parse(await answer.json());
    expect(message).toMatchObject({ clientMessageId: "k1", seq: 2, role: "customer", body: "Hello?" });
    await t.service.settled();
    const { messages, lastSeq } = await ann.transcript(id);
    expect(lastSeq).toBe(3);
    expect(messages[1]).toMatchObject({
      role: "agent",
      body: "You asked: Hello?.",
      author: { name: "Test agent" },
      citations: [{ citationId: "c1", title: "An article" }],
    });
  });

  test("Accept: application/x-ndjson streams the answer after the message was stored", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    const parsed = (await linesOf(answer)).map((event) => TurnEvent.parse(event));
    expect(parsed[0]).toMatchObject({ type: "turn.accepted", message: { clientMessageId: "k1", seq: 2 } });
    expect(parsed.at(-2)).toMatchObject({ type: "citation", citationId: "c1" });
    const { messages } = await ann.transcript(id);
    expect(parsed.at(-1)).toMatchObject({
      type: "response.completed",
      messageId: messages[1]?.id,
      content: { body: "You asked: Hello?." },
    });
  });

  test("a turn whose answer can't be read follows its conversation no longer", async () => {
    const hub = createHub((error) => {
      throw error;
    });
    let followers = 0;
    const subscribe: typeof hub.subscribe = (id, listener) => {
      const leave = hub.subscribe(id, listener);
      followers += 1;
      return () => {
        leave();
        followers -= 1;
      };
    };
    const t = await openTestService({ hub: { ...hub, subscribe } });
    const ann = await t.customer("ann");
    const id = await ann.start();
    vi.spyOn(t.store.conversations, "readTranscript").mockRejectedValueOnce(new Error("no disk"));
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    expect(answer.status).toBe(500);
    await t.service.settled();
    expect(followers).toBe(0);
  });

  test("AGENT2 if the agent found nothing, both stream and log say that a person can be asked", async () => {
    const agent = createScriptedAgent(async function* () {
      yield { type: "delta", text: "Nothing on that." };
      yield { type: "nothing.found" };
    });
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const lines = await linesOf(await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON));
    expect(lines.map(({ type }) => type)).toEqual([
      "turn.accepted",
      "handoff.requested",
      "choices",
      "response.completed",
    ]);
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ notice: "agent_found_nothing" });
  });

  test("quick replies are in the stream before the answer completes, and in the transcript with it", async () => {
    const choices = [
      { id: "returns", label: "Returns", send: "How do I return something?" },
      { id: "person", choice: "handoff" as const },
    ];
    const agent = createScriptedAgent(
      async function* () {
        yield { type: "delta", text: "Do you mean one of these?" };
        for (const choice of choices) yield { type: "choice", choice };
      },
      { quotesOnly: true },
    );
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const lines = await linesOf(await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON));
    expect(lines.map(({ type }) => type)).toEqual(["turn.accepted", "choices", "response.completed"]);
    expect(TurnEvent.parse(lines.at(-2))).toEqual({ type: "choices", choices });
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ choices });
  });

  test("an answer that takes longer comes in deltas, with the id of the message that is stored at the end", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    for (const word of ["You asked: ", "Hello?"]) {
      held.say(word);
      await settleDown();
      t.clock.advance(SHOW_MS);
    }
    held.end();
    const [, ...events] = await linesOf(answer);
    const text = events.map((event) => (event["type"] === "response.delta" ? event["delta"] : ""));
    expect(text.join("")).toBe("You asked: Hello?");
    const ids = new Set(
      events.flatMap((event) => (event["messageId"] === undefined ? [] : [event["messageId"]])),
    );
    expect([...ids]).toEqual([(await ann.transcript(id)).messages[1]?.id]);
  });

  test("the stream of a turn ends when a person takes the conversation", async () => {
    const t = await openTestService({ agents: [createHeldAgent().agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    const target = { workspaceId: t.workspace.id, conversationId: id };
    await t.store.desk.takeConversation(target, { id: "user_1", name: "Maria" });
    expect((await linesOf(answer)).map(({ type }) => type)).toEqual(["turn.accepted"]);
  });

  test("half an answer is not completed once a person was asked for, nor when its turn is sent again", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const shown: string[] = [];
    t.hub.subscribe(id, ({ event }) => void (event.type === "response.delta" && shown.push(event.delta)));
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    held.say("It left ");
    await settleDown();
    t.clock.advance(SHOW_MS);
    await expect.poll(() => shown.join("")).toContain("It left");
    await ann.post("/v1/support/handoffs", { conversationId: id });
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ role: "agent", incomplete: true });
    const again = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    const types = (await Promise.all([linesOf(answer), linesOf(again)])).map((lines) =>
      lines.map(({ type }) => type),
    );
    expect(types).toEqual([["turn.accepted", "response.delta"], ["turn.accepted"]]);
  });

  test("HAND2 a turn that is sent again once a person has handed back streams the answer that is given then", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?", "k1");
    const target = { workspaceId: t.workspace.id, conversationId: id };
    const maria = { id: "user_1", name: "Maria" };
    await t.store.desk.takeConversation(target, maria);
    await t.store.desk.returnToAgent(target, maria);
    const again = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    held.say("Hello.");
    held.end();
    await t.service.settled();
    t.clock.advance(150_000);
    expect((await linesOf(again)).at(-1)).toMatchObject({ type: "response.completed" });
  });

  test("a turn that is sent again after its answer streams the answer again", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const first = await linesOf(await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON));
    const again = await linesOf(await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON));
    expect(again[0]).toEqual(first[0]);
    expect(again.at(-1)).toEqual(first.at(-1));
    expect((await ann.transcript(id)).lastSeq).toBe(3);
  });

  test("a turn that is sent again in the middle of its answer begins with the text so far", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const first = (await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON)).body?.getReader();
    held.say("One ");
    await settleDown();
    t.clock.advance(SHOW_MS);
    let seen = "";
    while (!seen.includes("One ")) seen += new TextDecoder().decode((await first?.read())?.value);
    const second = await ann.post(turnPath(id), turnOf("k1", "Hello?"), NDJSON);
    held.say("two.");
    held.end();
    const events = await linesOf(second);
    expect(events[1]).toMatchObject({ type: "response.snapshot", text: "One " });
    expect(events.at(-1)).toMatchObject({ type: "response.completed", content: { body: "One two." } });
  });

  test("line breaks of every kind in a message are preserved", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const body = 'a\n\nevent: reset\ndata: {}\u2028\u2029 "quoted" 😀';
    expect((await ann.say(id, body)).body).toBe(body);
    expect((await ann.say(id, "a\r\nb\rc")).body).toBe("a\nb\nc");
  });
});

describe("turns are idempotent", () => {
  test("MSG2 100 at once with one key are one message and 100 equal answers", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ann.post(turnPath(id), turnOf("k1", "Hello?"))),
    );
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(bodies.size).toBe(1);
    await t.service.settled();
    expect((await ann.transcript(id)).messages).toHaveLength(2);
  });

  test("MSG2 the same key with another text is refused, and nothing is stored", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?", "k1");
    const answer = await ann.post(turnPath(id), turnOf("k1", "Hello!"));
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).code).toBe("key_reused");
    await t.service.settled();
    expect((await ann.transcript(id)).messages).toHaveLength(2);
  });

  test("the first answer is returned again after a restart and after the end", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const first = await ann.say(id, "Hello?", "k1");
    await t.service.settled();
    await ann.delete(`/v1/support/conversations/${id}`);
    await t.close();
    const again = await t.reopen();
    expect(await (await again.customer("ann")).say(id, "Hello?", "k1")).toEqual(first);
  });

  test("two equal texts under different keys are two messages", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Hello?", "k1");
    await ann.say(id, "Hello?", "k2");
    await t.service.settled();
    const own = (await ann.transcript(id)).messages.filter(({ role }) => role === "customer");
    expect(own.map(({ body }) => body)).toEqual(["Hello?", "Hello?"]);
  });
});

describe("turns refuse", () => {
  test.each([
    ["no key", { content: { body: "x", format: "plain" } }],
    ["an impossible key", turnOf("a/b", "x")],
    ["an empty text", turnOf("k", " \n ")],
    ["5,001 characters", turnOf("k", "x".repeat(5001))],
    ["a lone surrogate", turnOf("k", "\ud800")],
    ["a NUL", turnOf("k", "a\0b")],
    ["another format", { clientMessageId: "k", content: { body: "x", format: "html" } }],
    ["attachments", { ...turnOf("k", "x"), attachments: [{}] }],
    ["a text that is no string", turnOf("k", { type: "img" } as unknown as string)],
  ])("%s", async (_name, body) => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(turnPath(id), body);
    expect(answer.status).toBe(400);
    expect((await ann.transcript(id)).lastSeq).toBe(1);
  });

  test("a conversation that has ended", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.delete(`/v1/support/conversations/${id}`);
    const answer = await ann.post(turnPath(id), turnOf("k", "x"));
    expect((await problemOf(answer)).code).toBe("conversation_ended");
  });
});

describe("turns protect", () => {
  test("role, author, seq and time come from the service, whatever is sent", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post(turnPath(id), {
      ...turnOf("k", "x"),
      role: "agent",
      author: { name: "CEO" },
      seq: 99,
      at: "1999",
    });
    const [message] = (await ann.transcript(id)).messages;
    expect(message).toMatchObject({ role: "customer", seq: 2, at: "2026-11-21T12:00:00.000Z" });
    expect(message?.author).toBeUndefined();
  });

  test("writing to a foreign conversation is refused and reveals nothing about it", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "canary-of-ann");
    await t.service.settled();
    const bob = await t.customer("bob");
    for (const accept of ["application/json", "application/x-ndjson"]) {
      const answer = await bob.post(turnPath(id), turnOf("k", "Hi"), { accept });
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain("canary-of-ann");
    }
    expect((await ann.transcript(id)).lastSeq).toBe(3);
  });
});
