import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { Failure } from "../../shared/errors.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createTestBff, dataOf, problemOf, readBlocks } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

const HELLO = { clientMessageId: "k1", body: "Where is\nmy parcel?" };

/** A BFF with a service that has only the seven endpoints, and one customer's session. */
async function open(change: (store: Store) => Store = (store) => store) {
  const service = createFakeService({ kind: "seven" });
  const clock = createTestClock();
  const bff = createTestBff({ service, clock, store: change(createSqliteStore(":memory:", { clock })) });
  const { token, capabilities } = await bff.startSession();
  const start = (message: object = HELLO) => bff.post("/api/conversation", message, token);
  const snapshot = async () => {
    const answer = await bff.post("/api/session", {}, token);
    return ((await answer.json()) as { conversation: Record<string, unknown> }).conversation;
  };
  const end = () => bff.request("DELETE", "/api/conversation", { token });
  const nth = (n: number) => [...service.conversations.keys()][n - 1] ?? expect.fail(`no conversation ${n}`);
  return { service, clock, bff, token, capabilities, start, snapshot, end, nth };
}

describe("a service with the seven endpoints only", () => {
  it("sends the first message whole with the start and shows it as the history", async () => {
    const { service, capabilities, start, snapshot, nth } = await open();
    expect(capabilities).toEqual([]);
    const answer = await start();
    expect(answer.status).toBe(201);
    expect(service.calls("conversations")[0]?.body).toEqual({ subject: HELLO.body });
    expect(await answer.json()).toMatchObject({
      conversation: { id: nth(1), status: "open" },
      message: { seq: 2, clientMessageId: "k1", role: "customer", body: HELLO.body },
    });
    expect(await snapshot()).toMatchObject({
      id: nth(1),
      status: "open",
      lastSeq: 2,
      messages: [{ seq: 2, body: HELLO.body }],
    });
  });

  it.each(["seven", "provider-only"] as const)(
    "of the kind %s logs no failed call for what it lacks",
    async (kind) => {
      const bff = createTestBff({ service: createFakeService({ kind }) });
      await bff.startSession();
      expect(bff.lines.filter((line) => line.includes("support call failed"))).toEqual([]);
    },
  );

  it("an unconfirmed start leaves no history", async () => {
    const { service, start, bff, token } = await open();
    service.answer("conversations", () => json({}, 201));
    expect(await problemOf(await start())).toBe("502 not_confirmed");
    const state = await (await bff.post("/api/session", {}, token)).json();
    expect(state).toMatchObject({ conversation: null });
  });

  it.each([
    ["cut short", "Where is"],
    ["another", "Lamps"],
  ])("a subject returned %s confirms nothing", async (_, subject) => {
    const { service, start } = await open();
    service.answer("conversations", () => json({ conversation: { id: "conv-1", subject } }, 201));
    expect(await problemOf(await start())).toBe("502 not_confirmed");
  });

  it("a subject that is returned on one line confirms the start (control)", async () => {
    const { service, start } = await open();
    const subject = "Where is my parcel?";
    service.answer("conversations", () => json({ conversation: { id: "conv-1", subject } }, 201));
    expect((await start()).status).toBe(201);
  });

  it("refuses a text that a subject might not hold, and starts nothing", async () => {
    const { service, start } = await open();
    expect(await problemOf(await start({ ...HELLO, body: "😀".repeat(1001) }))).toBe("413 body_too_large");
    expect(service.calls("conversations")).toEqual([]);
    expect((await start({ ...HELLO, body: "😀".repeat(1000) })).status).toBe(201);
  });

  it("LESS2 refuses a second message as not_carried, in both calls that could send it", async () => {
    const { service, bff, token, start, snapshot } = await open();
    await start();
    const second = { clientMessageId: "k2", body: "And?" };
    expect(await problemOf(await start(second))).toBe("409 not_carried");
    const answer = await bff.post("/api/conversation/messages", second, token);
    expect(await problemOf(answer)).toBe("409 not_carried");
    expect((await snapshot())["messages"]).toHaveLength(1);
    expect(service.calls("turns")).toEqual([]);
  });

  it("a retry of the first message is confirmed from the log", async () => {
    const { service, start } = await open();
    const first = await (await start()).json();
    expect(await (await start()).json()).toMatchObject({ message: (first as { message: object }).message });
    expect(await problemOf(await start({ ...HELLO, body: "Another" }))).toBe("422 key_reused");
    expect(service.calls("conversations")).toHaveLength(1);
  });

  it("a start that is repeated because its pointer was not stored is in the history once", async () => {
    let fails = true;
    const { service, start, snapshot } = await open((store) => ({
      ...store,
      async write(changes, signal) {
        const isPointer = changes.some(({ key }) => key.startsWith("pointer:"));
        if (isPointer && fails) throw new Failure("unavailable");
        return store.write(changes, signal);
      },
    }));
    service.answer("conversations", () => json({ conversation: { id: "conv-1" } }, 201));
    expect(await problemOf(await start())).toBe("503 unavailable");
    fails = false;
    expect(await (await start()).json()).toMatchObject({ message: { seq: 2, body: HELLO.body } });
    expect(await snapshot()).toMatchObject({ lastSeq: 2, messages: [{ body: HELLO.body }] });
  });

  it("the end of a conversation that was started again under its id is asked for again", async () => {
    const { service, start, end } = await open();
    service.answer("conversations", () => json({ conversation: { id: "conv-1" } }, 201));
    service.answer("endConversation", () => new Response(null, { status: 204 }));
    for (const clientMessageId of ["k1", "k2"]) {
      await start({ ...HELLO, clientMessageId });
      expect((await end()).status).toBe(200);
    }
    expect(service.calls("endConversation")).toHaveLength(2);
  });

  it("asks for a person with the transcript, and a repeated request is one hand-off in the log", async () => {
    const { service, bff, token, start, snapshot, nth } = await open();
    await start();
    const ids = new Set<string>();
    for (const time of [1, 2]) {
      const answer = await bff.post("/api/conversation/handoff", { reason: "Urgent" }, token);
      const { handoff } = (await answer.json()) as { handoff: { id: string } };
      expect(handoff, `time ${time}`).toEqual({ id: expect.any(String), status: "requested" });
      ids.add(handoff.id);
    }
    const [id, ...others] = ids;
    expect(others).toEqual([]);
    expect(service.calls("handoffs")[0]?.body).toEqual({
      conversationId: nth(1),
      reason: "Urgent",
      transcript: `Customer: ${HELLO.body.replace("\n", "\n    ")}`,
    });
    expect(await snapshot()).toMatchObject({
      lastSeq: 3,
      handoff: { id, status: "requested" },
      marks: [{ seq: 3, type: "handoff.requested" }],
    });
  });

  it("an unconfirmed hand-off leaves no history", async () => {
    const { service, bff, token, start, snapshot } = await open();
    await start();
    service.answer("handoffs", () =>
      json({ handoff: { id: "h", conversationId: "other", status: "accepted" } }),
    );
    expect(await problemOf(await bff.post("/api/conversation/handoff", {}, token))).toBe("502 not_confirmed");
    expect(await snapshot()).not.toHaveProperty("handoff");
  });

  it("ends after a confirmation, confirms a repeated end from the log, and then starts the next one", async () => {
    const { service, clock, start, end, snapshot, nth } = await open();
    await start();
    service.answer("endConversation", () => json({}, 500));
    const ended = end();
    // An end is safe to repeat, and the attempts wait for each other.
    await clock.advance(8000);
    expect((await ended).status).toBe(503);
    expect(await snapshot()).toMatchObject({ status: "open", lastSeq: 2 });
    service.answer("endConversation", () => new Response(null, { status: 204 }));
    expect((await end()).status).toBe(200);
    service.answer("endConversation", () => json({}, 404));
    expect((await end()).status).toBe(200);
    const next = await start({ clientMessageId: "k2", body: "And?" });
    expect(await next.json()).toMatchObject({ conversation: { id: nth(2) }, message: { seq: 2 } });
  });

  it("LESS7 a conversation that the service lost is not called ended, and the next message starts another", async () => {
    const { service, bff, token, start, end, nth } = await open();
    await start();
    service.answer("endConversation", () => json({ error: "no such conversation" }, 404));
    expect(await problemOf(await end())).toBe("409 no_conversation");
    expect(await problemOf(await end())).toBe("409 no_conversation");
    const second = { clientMessageId: "k2", body: "And?" };
    expect(await problemOf(await bff.post("/api/conversation/messages", second, token))).toBe(
      "409 no_conversation",
    );
    expect(await (await start(second)).json()).toMatchObject({
      conversation: { id: nth(2) },
      message: { clientMessageId: "k2" },
    });
  });

  it("LESS7 a 404 of a proxy on the way says nothing about the conversation (control)", async () => {
    const { service, start, end, snapshot, nth } = await open();
    await start();
    const page = { status: 404, headers: { "content-type": "text/html" } };
    service.answer("endConversation", () => new Response("<h1>404</h1>", page));
    expect(await problemOf(await end())).toBe("502 support_refused");
    expect(await snapshot()).toMatchObject({ id: nth(1), status: "open" });
  });

  it("all tabs follow the same log", async () => {
    const { bff, token, start, end } = await open();
    await start();
    const stream = await bff.request("GET", "/api/conversation/events", { token });
    await bff.post("/api/conversation/handoff", {}, token);
    await end();
    const events = (await readBlocks(stream, 4)).map(dataOf);
    expect(events).toMatchObject([
      { type: "conversation.started", seq: 1 },
      { type: "message.created", seq: 2 },
      { type: "handoff.requested", seq: 3 },
      { type: "conversation.ended", seq: 4, by: "customer" },
    ]);
  });

  it("the same conversation id gives two customers two logs", async () => {
    const { service, bff, start } = await open();
    service.answer("conversations", () => json({ conversation: { id: "conv-1" } }, 201));
    await start();
    const other = await bff.startSession();
    await bff.post("/api/conversation", { clientMessageId: "x1", body: "Mine" }, other.token);
    const state = (await (await bff.post("/api/session", {}, other.token)).json()) as {
      conversation: { messages: { body: string }[] };
    };
    expect(state.conversation.messages.map(({ body }) => body)).toEqual(["Mine"]);
  });
});
