import { describe, expect, test } from "vitest";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { SHOW_MS } from "../answers/shown-answer.ts";
import { createHeldAgent } from "../testing/agents.ts";
import { readEventStream, seqsOf } from "../testing/event-reader.ts";
import { settleDown } from "../testing/settle-down.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const eventsPath = (id: string) => `/v1/support/conversations/${id}/events`;
const upTo = (seq: number) => Array.from({ length: seq }, (_, index) => index + 1);

describe("events work", () => {
  test("the whole log comes first, then live events, each with its seq as id", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const response = await ann.get(eventsPath(id));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const reader = readEventStream(response);
    await reader.until((read) => read.length === 1);
    await ann.say(id, "Hello?");
    const read = await reader.until((all) => seqsOf(all).includes(3));
    expect(read.filter(({ event }) => "seq" in event).map((one) => one.id)).toEqual(["1", "2", "3"]);
    // The answer was whole at once, so no piece of it and no sign of typing was sent before.
    expect(read.map(({ event }) => event.type)).toEqual([
      "conversation.started",
      "message.created",
      "message.created",
    ]);
    await reader.leave();
  });

  test("an answer that takes longer is shown in pieces, which have no id", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const reader = readEventStream(await ann.get(eventsPath(id)));
    const pass = async (ms: number) => {
      await settleDown();
      t.clock.advance(ms);
      await settleDown();
    };
    await ann.say(id, "Hello?");
    await pass(SHOW_MS - 1);
    held.say("You ");
    await pass(1);
    // These arrive together and are sent as one.
    held.say("asked: ");
    held.say("Hello?");
    await pass(SHOW_MS);
    held.end();
    const read = await reader.until((all) => seqsOf(all).includes(3));
    expect(read.map(({ event }) => event.type)).toEqual([
      "conversation.started",
      "message.created",
      "typing.started",
      "response.delta",
      "response.delta",
      "typing.stopped",
      "message.created",
    ]);
    expect(read.filter(({ event }) => !("seq" in event)).every((one) => !one.id)).toBe(true);
    const deltas = read.map(({ event }) => (event.type === "response.delta" ? event.delta : ""));
    expect(deltas.join("")).toBe("You asked: Hello?");
    await reader.leave();
  });

  test("MSG5 a resume at every position returns the rest, without gaps or duplicates", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    for (let turn = 0; turn < 10; turn += 1) await ann.say(id, `Question ${turn}`);
    await t.service.settled();
    const { lastSeq } = await ann.transcript(id);
    expect(lastSeq).toBe(21);
    for (let position = 0; position <= lastSeq; position += 1) {
      const reader = readEventStream(await ann.get(eventsPath(id), { "last-event-id": String(position) }));
      const rest = await reader.until((read) => seqsOf(read).length === lastSeq - position);
      expect(seqsOf(rest)).toEqual(upTo(lastSeq).slice(position));
      await reader.leave();
    }
  });

  test("readers that join while messages are written miss none and see none twice", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post("/v1/support/handoffs", { conversationId: id });
    const write = async () => {
      for (let turn = 0; turn < 150; turn += 1) await ann.say(id, `Message ${turn}`);
    };
    const join = async (position: number) => {
      const reader = readEventStream(await ann.get(eventsPath(id), { "last-event-id": String(position) }));
      const read = await reader.until((all) => seqsOf(all).at(-1) === 152);
      await reader.leave();
      return seqsOf(read);
    };
    const writing = write();
    const seen: Promise<number[]>[] = [];
    for (let readers = 0; readers < 20; readers += 1) {
      seen.push(join(readers % 3));
      await ann.transcript(id);
    }
    await writing;
    for (const [index, seqs] of (await Promise.all(seen)).entries()) {
      expect(seqs).toEqual(upTo(152).slice(index % 3));
    }
  });

  test("a reader who joins in the middle of an answer gets the text so far, then the rest", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const first = readEventStream(await ann.get(eventsPath(id)));
    await ann.say(id, "Hello?");
    held.say("One ");
    await settleDown();
    t.clock.advance(SHOW_MS);
    await first.until((read) => read.some(({ event }) => event.type === "response.delta"));
    const second = readEventStream(await ann.get(eventsPath(id), { "last-event-id": "2" }));
    await second.until((read) => read.length === 1);
    held.say("two.");
    await settleDown();
    t.clock.advance(SHOW_MS);
    held.end();
    const read = await second.until((all) => seqsOf(all).includes(3));
    expect(read.slice(0, 2).map(({ event }) => event)).toMatchObject([
      { type: "response.snapshot", text: "One " },
      { type: "response.delta", delta: "two." },
    ]);
    await first.leave();
    await second.leave();
  });

  test("a comment every 15 seconds proves that the connection lives", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const reader = readEventStream(await ann.get(eventsPath(id)));
    await reader.until((read) => read.length === 1);
    const before = reader.comments();
    t.clock.advance(HEARTBEAT_MS * 3);
    await ann.delete(`/v1/support/conversations/${id}`);
    await reader.until((read) => read.length === 2);
    expect(reader.comments() - before).toBe(3);
    await reader.leave();
  });

  test("a service that stops ends its streams", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const reader = readEventStream(await ann.get(eventsPath(id)));
    await reader.until((read) => read.length === 1);
    await t.service.close();
    expect(await reader.toEnd()).toHaveLength(1);
  });

  test("a reader that does not read is disconnected, and does not delay the writer", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post("/v1/support/handoffs", { conversationId: id });
    const asleep = readEventStream(await ann.get(eventsPath(id), { "last-event-id": "2" }));
    for (let turn = 0; turn < 100; turn += 1) await ann.say(id, "x".repeat(5000));
    const read = await asleep.toEnd();
    expect(read.length).toBeLessThan(100);
    const rest = readEventStream(await ann.get(eventsPath(id), { "last-event-id": read.at(-1)?.id ?? "2" }));
    const after = await rest.until((all) => seqsOf(all).at(-1) === 102);
    expect([...seqsOf(read), ...seqsOf(after)]).toEqual(upTo(102).slice(2));
    await rest.leave();
  });
});

describe("events refuse", () => {
  test.each(["", "abc", "-1", "1e99", "9".repeat(10_000), "99", "1.5", "0x1"])(
    "a position that this log does not have: %.20s",
    async (position) => {
      const t = await openTestService();
      const ann = await t.customer("ann");
      const id = await ann.start();
      const answer = await ann.get(eventsPath(id), { "last-event-id": position });
      expect(answer.status).toBe(400);
      expect((await problemOf(answer)).code).toBe("bad_request");
    },
  );

  test("HEAD, which would leave a stream open", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await t.request(eventsPath(id), {
      method: "HEAD",
      headers: { authorization: `Bearer ${ann.token}` },
    });
    expect(answer.status).toBe(405);
  });
});

describe("events protect", () => {
  test("a foreign and a missing conversation are answered alike, whatever the position", async () => {
    const t = await openTestService();
    const id = await (await t.customer("ann")).start();
    const bob = await t.customer("bob");
    for (const one of [id, "conv_missing"]) {
      for (const position of ["0", "abc", "99"]) {
        expect((await bob.get(eventsPath(one), { "last-event-id": position })).status).toBe(404);
      }
    }
  });

  test("the customer's events contain no id, address or role of a team member", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const target = { workspaceId: t.workspace.id, conversationId: id };
    const person = { id: "user_canary", name: "Maria" };
    await ann.post("/v1/support/handoffs", { conversationId: id });
    await t.store.desk.acceptHandoff(target, person);
    await t.store.desk.replyAsHuman(target, person, { clientMessageId: "r1", body: "Hello" });
    await t.store.desk.returnToAgent(target, person);
    await t.store.desk.resolveConversation(target, person);
    const reader = readEventStream(await ann.get(eventsPath(id)));
    const read = await reader.until((all) => seqsOf(all).length === 6);
    expect(read.map(({ event }) => event.type)).toEqual([
      "conversation.started",
      "handoff.requested",
      "handoff.accepted",
      "message.created",
      "handoff.returned",
      "conversation.ended",
    ]);
    expect(JSON.stringify(read)).not.toContain("user_canary");
    await reader.leave();
    // HAND3: the transcript has the same entries, by type and position.
    const transcript = await (await ann.get(`/v1/support/conversations/${id}/messages`)).json();
    expect(transcript.marks).toEqual([
      { seq: 2, at: expect.any(String), type: "handoff.requested" },
      { seq: 3, at: expect.any(String), type: "handoff.accepted", name: "Maria" },
      { seq: 5, at: expect.any(String), type: "handoff.returned" },
      { seq: 6, at: expect.any(String), type: "conversation.ended" },
    ]);
    expect(JSON.stringify(transcript)).not.toContain("user_canary");
    const later = await (await ann.get(`/v1/support/conversations/${id}/messages?after=5`)).json();
    expect(later.marks).toHaveLength(1);
  });
});
