import { describe, expect, it } from "vitest";
import { sendMessage, startConversation } from "../../shared/api/conversation.ts";
import { createScriptedService, json } from "../testing/scripted-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";

const open = () => {
  const service = createScriptedService();
  const clock = createTestClock();
  return { service, clock, bff: createTestBff({ service, clock }) };
};
const problem = (code: string, status: number) =>
  new Response(JSON.stringify({ type: `urn:parley:problem:${code}`, code, detail: "canary" }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });
const MESSAGE = { clientMessageId: "k1", body: "Where is my parcel?" };

describe("POST /api/conversation works", () => {
  it("starts a conversation and sends the first message", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(answer.status).toBe(201);
    const body = startConversation.answer.parse(await answer.json());
    expect(body).toMatchObject({
      conversation: { id: "conv-1", status: "open" },
      message: { id: "msg-k1", seq: 2, clientMessageId: "k1", role: "customer", body: MESSAGE.body },
    });
    expect(service.calls("conversations")[0]?.body).toEqual({});
    expect(service.calls("turns")[0]?.body).toEqual({
      clientMessageId: "k1",
      content: { body: MESSAGE.body, format: "plain" },
      attachments: [],
    });
    expect(bff.answered.join("")).not.toContain("never shown");
  });

  it("the epoch of the answer is the one that a resume gives", async () => {
    const { bff } = open();
    const { token, answer } = await bff.startConversation();
    const { conversation } = (await answer.json()) as { conversation: { epoch: string } };
    const resumed = (await (await bff.post("/api/session", {}, token)).json()) as {
      conversation: { epoch: string };
    };
    expect(resumed.conversation.epoch).toBe(conversation.epoch);
  });

  it("with one open the message goes there", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(answer.status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(1);
  });

  it("after an end a new one starts, with a key of its own", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    await bff.request("DELETE", "/api/conversation", { token });
    service.answer("conversations", () => json({ conversation: { id: "conv-2" } }));
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(await answer.json()).toMatchObject({ conversation: { id: "conv-2" } });
    const keys = service.calls("conversations").map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });

  it("when a person ended it meanwhile, what the customer wrote starts the next", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("conversations", () => json({ conversation: { id: "conv-2" } }));
    service.answer("turns", ({ path }) =>
      path.includes("conv-1")
        ? problem("conversation_ended", 409)
        : json({ message: { id: "m", seq: 1, clientMessageId: "k1" } }),
    );
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(await answer.json()).toMatchObject({ conversation: { id: "conv-2" } });
  });

  it("the seven alone: what the customer wrote goes with the start", async () => {
    const { bff, service } = open();
    service.answer("capabilities", () => json({}, 404));
    const { token } = await bff.startSession();
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(startConversation.answer.parse(await answer.json())).toMatchObject({
      message: { clientMessageId: "k1" },
    });
    expect(service.calls("conversations")[0]?.body).toEqual({ subject: MESSAGE.body });
    const next = await bff.post("/api/conversation/messages", { ...MESSAGE, clientMessageId: "k2" }, token);
    expect(await problemOf(next)).toBe("409 not_carried");
  });
});

describe("POST /api/conversation protects from doing it twice", () => {
  it("two tabs at once make one conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    const both = ["a", "b"].map((clientMessageId) =>
      bff.post("/api/conversation", { clientMessageId, body: "x" }, token),
    );
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 201]);
    expect(service.calls("conversations")).toHaveLength(1);
  });

  it("a start whose answer was lost is tried again under the same key", async () => {
    const { bff, service, clock } = open();
    const { token } = await bff.startSession();
    service.answer("conversations", () => new Promise<Response>(() => undefined));
    const lost = bff.post("/api/conversation", MESSAGE, token);
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await lost)).toBe("504 support_timeout");
    service.answer("conversations", () => json({ conversation: { id: "conv-1" } }));
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    const keys = service.calls("conversations").map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("a first message that was not confirmed is tried again in the same conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    service.answer("turns", () => json({}));
    expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
    service.answer("turns", () => json({ message: { id: "m", seq: 2, clientMessageId: "k1" } }));
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(1);
    expect(
      service.calls("turns").map(({ body }) => (body as { clientMessageId: string }).clientMessageId),
    ).toEqual(["k1", "k1"]);
  });
});

describe("POST /api/conversation/messages", () => {
  it("works: sends into the open conversation with one call", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const before = service.seen.length;
    const answer = await bff.post("/api/conversation/messages", { ...MESSAGE, body: "a\r\nb" }, token);
    expect(answer.status).toBe(201);
    expect(sendMessage.answer.parse(await answer.json()).message).toMatchObject({
      clientMessageId: "k1",
      body: "a\nb",
    });
    expect(service.seen.slice(before).map(({ operation }) => operation)).toEqual(["turns"]);
  });

  it.each([
    ["no key", { body: "x" }],
    ["a key that is a path", { clientMessageId: "../x", body: "x" }],
    ["nothing said", { clientMessageId: "k", body: "  \n " }],
    ["5,001 characters", { clientMessageId: "k", body: "😀".repeat(5001) }],
    ["half a character", { clientMessageId: "k", body: "\ud800" }],
    ["a NUL", { clientMessageId: "k", body: "a\0b" }],
    ["an object as text", { clientMessageId: "k", body: { type: "img" } }],
    ["a role", { clientMessageId: "k", body: "x", role: "agent" }],
    ["a history", { clientMessageId: "k", body: "x", history: [] }],
  ])("refuses %s", async (_, body) => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const before = service.seen.length;
    expect((await bff.post("/api/conversation/messages", body, token)).status).toBe(400);
    expect(service.seen).toHaveLength(before);
  });

  it("refuses without a conversation, and after its end", async () => {
    const { bff } = open();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    await bff.post("/api/conversation", MESSAGE, token);
    await bff.request("DELETE", "/api/conversation", { token });
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 conversation_ended",
    );
  });

  it.each([
    ["conversation_ended", 409],
    ["key_reused", 422],
    ["in_flight", 409],
  ])("passes on that it is %s, in our own words", async (code, status) => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => problem(code, status));
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      `${status} ${code}`,
    );
    expect([...bff.answered, ...bff.lines].join("")).not.toContain("canary");
  });

  it("passes on no other word of the service", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    for (const answer of [
      problem("forbidden", 403),
      problem("key_reused", 400),
      json({ code: "key_reused" }, 422),
    ]) {
      service.answer("turns", () => answer);
      expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
        "502 support_refused",
      );
    }
  });

  it("a conversation that the service does not have is none; the next message starts one", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => json({}, 404));
    service.answer("messages", () => json({}, 404));
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    service.answer("turns", () => json({ message: { id: "m", seq: 2, clientMessageId: "k1" } }));
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(2);
  });

  it("protects: another session's token leads to its own conversation alone", async () => {
    const { bff, service } = open();
    await bff.startConversation();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    expect(service.calls("turns")).toHaveLength(1);
  });
});

describe("POST /api/conversation/handoff", () => {
  const ask = (body: unknown = {}) => ["/api/conversation/handoff", body] as const;

  it("works: says what was asked for, and names nobody", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const answer = await bff.post(...ask({ reason: "urgent", summary: "parcel" }), token);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ handoff: { id: "hand-1", status: "requested" } });
    expect(service.calls("handoffs")[0]?.body).toEqual({
      conversationId: "conv-1",
      reason: "urgent",
      currentIntent: "parcel",
    });
  });

  it.each([
    ["accepted", "accepted"],
    ["failed", "failed"],
    ["queued", "requested"],
  ])("a service's %s is told as %s", async (word, told) => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("handoffs", () => json({ handoff: { id: "h", conversationId: "conv-1", status: word } }));
    const answer = await bff.post(...ask(), token);
    expect(await answer.json()).toEqual({ handoff: { id: "h", status: told } });
  });

  it("two clicks at once are one hand-off; after it was confirmed the next is another", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const answers = await Promise.all([bff.post(...ask(), token), bff.post(...ask(), token)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(service.calls("handoffs")).toHaveLength(1);
    await bff.post(...ask(), token);
    const keys = service.calls("handoffs").map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });

  it("one whose answer was lost is asked again under the same key", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("handoffs", () => json({}));
    expect(await problemOf(await bff.post(...ask(), token))).toBe("502 not_confirmed");
    await bff.post(...ask(), token);
    const keys = service.calls("handoffs").map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("refuses without a conversation, after its end, and on a route without people", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.post(...ask(), token))).toBe("409 no_conversation");
    service.answer("supportSelection", () =>
      json({ channel: "web", agentProvider: "a", reason: "night", ttlSeconds: 0 }),
    );
    const alone = await bff.startConversation();
    expect(await problemOf(await bff.post(...ask(), alone.token))).toBe("409 handoff_unavailable");
    expect(service.calls("handoffs")).toHaveLength(0);
  });
});

describe("DELETE /api/conversation", () => {
  it("works, and again after the end", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    for (let time = 1; time <= 2; time += 1) {
      const answer = await bff.request("DELETE", "/api/conversation", { token });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ conversation: { id: "conv-1", status: "ended" } });
      expect(service.calls("endConversation")).toHaveLength(time);
    }
  });

  it("refuses without a conversation", async () => {
    const { bff } = open();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.request("DELETE", "/api/conversation", { token }))).toBe(
      "409 no_conversation",
    );
  });

  it("an end that was not confirmed leaves it open", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("endConversation", () => json({}, 404));
    expect(await problemOf(await bff.request("DELETE", "/api/conversation", { token }))).toBe(
      "502 support_refused",
    );
    expect((await bff.post("/api/conversation/messages", MESSAGE, token)).status).toBe(201);
  });
});

describe("GET /api/config", () => {
  it("tells what is public, and nothing else", async () => {
    const service = createScriptedService();
    const bff = createTestBff({ service, env: { FALLBACK: "mailto:help@example.com" } });
    expect(await (await bff.request("GET", "/api/config")).json()).toEqual({
      version: "0.0.0-test",
      loader: {
        version: "0.0.0-test",
        integrity: expect.stringMatching(/^sha384-/),
        url: "http://localhost:3000/v/0.0.0-test/widget.js",
      },
      siteId: "parley",
      identityPolicy: "optional",
      fallback: { kind: "mail", href: "mailto:help@example.com" },
    });
  });
});
