import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeskEvent } from "../../shared/desk.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { LEAVING_MS } from "../live/presence.ts";
import { SESSION_IDLE_MS } from "./desk-sessions.ts";
import { createDeskBench, type DeskBench, type SignedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;
let ada: SignedIn;
/** Timers of the desk that run without any stream. */
let idle: number;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
  ada = await bench.signIn(workspaceId, "ada@shop.example");
  idle = bench.clock.running();
});

afterEach(() => bench.close());

async function follow(as: SignedIn) {
  const response = await bench.call("GET", "events", { as });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    response,
    reader,
    /** Reads until the text contains `count` events, and returns all that arrived. */
    async events(count: number): Promise<DeskEvent[]> {
      // Split at line feeds only, as the format says: for a regular expression U+2028 ends a line too.
      const lines = () => text.split("\n").filter((line) => line.startsWith("data: "));
      while (lines().length < count) text += decoder.decode((await reader.read()).value, { stream: true });
      return lines().map((line) => DeskEvent.parse(JSON.parse(line.slice(6))));
    },
    /** Reads to the end; returns what arrived. */
    async rest(): Promise<string> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += decoder.decode(value, { stream: true });
      }
    },
  };
}

describe("the desk's events", () => {
  it("DESK18 what an answer was made of follows the answer", async () => {
    const stream = await follow(ada);
    const { conversations, customers, answers, desk } = bench.store;
    const { id: customerId } = await customers.upsert(workspaceId, { externalId: "customer-1" });
    const owner = { workspaceId, customerId };
    const route = { channel: "chat", agentProvider: "knowledge" };
    const { id } = await conversations.start(owner, { subject: undefined, route, locale: "en" }, undefined);
    await conversations.addTurn(owner, id, { clientMessageId: "c1", body: "Where is my lamp?" });
    const owed = await answers.claim(id, { owner: "test", ms: 1000 });
    if (!owed) throw new Error("No answer is owed.");
    const made = { passages: [], tools: [{ name: "shop_order", status: "answered" as const }] };
    await answers.finish(
      owed,
      1000,
      { id: owed.answerId, role: "agent", body: "On its way." },
      { actions: [], made: () => made },
    );
    let events: DeskEvent[] = [];
    for (let count = 1; !events.some(({ type }) => type === "answer.noted"); count += 1)
      events = await stream.events(count);
    const at = events.findIndex(
      (event) => event.type === "conversation.event" && "seq" in event.event && event.event.seq === 3,
    );
    const noted = events.findIndex(({ type }) => type === "answer.noted");
    expect(events[noted]).toEqual({ type: "answer.noted", conversationId: id, note: { seq: 3, made } });
    expect(noted).toBeGreaterThan(at);
    expect(at).toBeGreaterThanOrEqual(0);
    const other = (await bench.addWorkspace("other")).id;
    expect(await desk.readNote({ workspaceId: other, conversationId: id }, 3)).toBeUndefined();
    await stream.reader.cancel();
  });

  it("a customer who asks for a person appears, as an event and as a row of the queue", async () => {
    const stream = await follow(ada);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    const { id } = await bench.waitingConversation(workspaceId);
    const events = await stream.events(5);
    expect(
      events.filter((event) => event.type === "conversation.event").map(({ event }) => event.type),
    ).toEqual(["conversation.started", "message.created", "handoff.requested"]);
    const rows = events.flatMap((event) => (event.type === "queue.changed" ? [event.conversation] : []));
    expect(rows.at(-1)).toMatchObject({ id, state: "waiting", lastSeq: 3 });
    await stream.reader.cancel();
  });

  it("DESK13 a customer who comes and leaves changes the row, and nobody else's stream says so", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    const stream = await follow(ada);
    const leave = bench.presence.join(workspaceId, id);
    const rowsOf = (events: readonly DeskEvent[]) =>
      events.map((event) => (event.type === "queue.changed" ? event.conversation.presence : event.type));
    expect(rowsOf(await stream.events(1))).toEqual([{ online: true }]);
    const lastSeenAt = new Date(bench.clock.now()).toISOString();
    leave();
    bench.clock.advance(LEAVING_MS);
    expect(rowsOf(await stream.events(2))[1]).toEqual({ online: false, lastSeenAt });
    const { conversations } = (await (await bench.call("GET", "conversations", { as: ada })).json()) as {
      conversations: { presence: unknown }[];
    };
    expect(conversations[0]?.presence).toEqual({ online: false, lastSeenAt });
    expect(await bench.customerLog(owner, id)).toHaveLength(3);
    await stream.reader.cancel();
  });

  it("DESK14 a name that a colleague types for a customer changes the row at once, and the customer gets no event", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    const heard: string[] = [];
    bench.hub.subscribe(id, ({ event }) => void heard.push(event.type));
    const stream = await follow(ada);
    const bob = await bench.signIn(workspaceId, "bob@shop.example");
    const body = { name: "Ann from Bern", email: "ann@bern.example" };
    const answer = await bench.call("POST", `conversations/${id}/customer`, { as: bob, body });
    expect(await answer.json()).toEqual({ customer: { conversationId: id, ...body } });
    const [event] = await stream.events(1);
    expect(event).toMatchObject({ type: "queue.changed", conversation: { customer: { team: body } } });
    expect(heard).toEqual([]);
    expect(JSON.stringify(await bench.store.conversations.readTranscript(owner, id, 0, 100))).not.toContain(
      "Bern",
    );
    await stream.reader.cancel();
  });

  it("live signals pass through and change no row", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    const stream = await follow(ada);
    bench.hub.publish({
      workspaceId,
      conversationId: id,
      event: { type: "response.delta", messageId: "m1", delta: "Hel" },
    });
    await bench.call("POST", `conversations/${id}/take`, { as: ada });
    const events = await stream.events(3);
    expect(
      events.map((event) => (event.type === "conversation.event" ? event.event.type : event.type)),
    ).toEqual(["response.delta", "handoff.accepted", "queue.changed"]);
    await stream.reader.cancel();
  });

  it("the stream has no event of another workspace", async () => {
    const other = (await bench.addWorkspace("other")).id;
    const stream = await follow(ada);
    await bench.waitingConversation(other);
    await bench.call("POST", "logout", { as: ada });
    expect(await stream.rest()).toMatch(/^(: \n\n)*$/);
  });

  it("no text can forge an event", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    const stream = await follow(ada);
    const body = "a\n\nevent: reset\ndata: {}\n\n\u2028b";
    await bench.store.conversations.addTurn(owner, id, { clientMessageId: "c2", body });
    const [event] = await stream.events(1);
    expect(event).toMatchObject({ type: "conversation.event", event: { message: { body } } });
    await bench.call("POST", "logout", { as: ada });
    expect((await stream.rest()).match(/^event:/gm)).toBeNull();
  });

  it("signing out ends the streams of that session and no others", async () => {
    const bob = await bench.signIn(workspaceId, "bob@shop.example");
    const hers = await follow(ada);
    const his = await follow(bob);
    await bench.call("POST", "logout", { as: ada });
    await hers.rest();
    await bench.waitingConversation(workspaceId);
    expect((await his.events(3)).length).toBeGreaterThanOrEqual(3);
    await his.reader.cancel();
  });

  it("a heartbeat is sent every 15 s while the session lives; the stream ends with the session", async () => {
    const stream = await follow(ada);
    for (let beats = 0; beats < 3; beats += 1) {
      bench.clock.advance(HEARTBEAT_MS);
      expect(new TextDecoder().decode((await stream.reader.read()).value)).toContain(": \n\n");
    }
    bench.clock.advance(SESSION_IDLE_MS);
    await stream.rest();
    expect(bench.clock.running()).toBe(idle);
  });

  it("a reader that leaves, one that does not read, and a process that stops leave nothing open", async () => {
    const left = await follow(ada);
    expect(bench.clock.running()).toBe(idle + 1);
    await left.reader.cancel();
    expect(bench.clock.running()).toBe(idle);

    const { id } = await bench.waitingConversation(workspaceId);
    const slow = await follow(ada);
    const delta = "x".repeat(60_000);
    for (let n = 0; n < 8; n += 1) {
      bench.hub.publish({
        workspaceId,
        conversationId: id,
        event: { type: "response.delta", messageId: "m", delta },
      });
    }
    expect(bench.clock.running()).toBe(idle);
    await slow.rest();

    const open = await follow(ada);
    bench.stopping.abort();
    await open.rest();
    expect(bench.clock.running()).toBe(idle);
    await (await follow(ada)).rest();
  });

  it("HEAD opens no stream", async () => {
    expect((await bench.call("HEAD", "events", { as: ada })).status).toBe(405);
    expect(bench.clock.running()).toBe(idle);
  });
});
