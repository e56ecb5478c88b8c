import { describe, expect, it } from "vitest";
import {
  changed,
  createFakeService,
  type FakeService,
  json,
} from "../../service/testing/fake/fake-service.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import { sendMessage, startConversation } from "../../shared/api/conversation.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";

const open = (kind: Kind = "full") => {
  const service = createFakeService({ kind });
  const clock = createTestClock();
  return { service, clock, bff: createTestBff({ service, clock }) };
};
const problem = (code: string, status: number) =>
  new Response(JSON.stringify({ type: `urn:parley:problem:${code}`, code, detail: "canary" }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });
/** The id of the conversation into which a message was sent. */
const startedBy = async (answer: Response) =>
  startConversation.answer.parse(await answer.json()).conversation.id;
const MESSAGE = { clientMessageId: "k1", body: "Where is my parcel?" };

describe("POST /api/conversation works", () => {
  it("starts a conversation and sends the first message", async () => {
    const { bff, service } = open();
    service.answer("turns", (_, real) =>
      changed<{ message: object }>(real, ({ message }) => ({
        message: { ...message, internalNote: "never shown" },
      })),
    );
    const { token } = await bff.startSession();
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(answer.status).toBe(201);
    const body = startConversation.answer.parse(await answer.json());
    const [id = ""] = service.conversations.keys();
    const logged = service.logOf(id).find(({ type }) => type === "message.created");
    expect(body).toMatchObject({
      conversation: { id, status: "open" },
      message: { seq: 2, clientMessageId: "k1", role: "customer", body: MESSAGE.body },
    });
    expect(logged).toMatchObject({ seq: 2, message: { id: body.message.id, body: MESSAGE.body } });
    expect(service.calls("conversations")[0]?.body).toEqual({});
    expect(service.calls("turns")[0]?.body).toEqual({
      clientMessageId: "k1",
      content: { body: MESSAGE.body, format: "plain" },
      attachments: [],
    });
    expect(bff.answered.join("")).not.toContain("never shown");
  });

  it("the answer's epoch is the one that a resume returns", async () => {
    const { bff } = open();
    const { token, answer } = await bff.startConversation();
    const { conversation } = (await answer.json()) as { conversation: { epoch: string } };
    const resumed = (await (await bff.post("/api/session", {}, token)).json()) as {
      conversation: { epoch: string };
    };
    expect(resumed.conversation.epoch).toBe(conversation.epoch);
  });

  it("with an open conversation the message goes there", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(answer.status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(1);
  });

  it("after an end a new one starts, with its own key", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    await bff.request("DELETE", "/api/conversation", { token });
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect([...service.conversations.keys()]).toEqual([id, await startedBy(answer)]);
    const keys = service.calls("conversations").map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });

  it("if a person ended it meanwhile, the customer's message starts the next one", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    service.answer("turns", ({ path }, real) =>
      path.includes(id) ? problem("conversation_ended", 409) : real(),
    );
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect([...service.conversations.keys()]).toEqual([id, await startedBy(answer)]);
  });

  it("LONG3 a message into a full conversation is refused, and starts the next one", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    service.answer("turns", ({ path }, real) =>
      path.includes(id) ? problem("conversation_full", 409) : real(),
    );
    const refused = await bff.post("/api/conversation/messages", MESSAGE, token);
    expect(await problemOf(refused)).toBe("409 conversation_full");
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect([...service.conversations.keys()]).toEqual([id, await startedBy(answer)]);
  });

  it("with only the seven endpoints, the customer's message is sent with the start", async () => {
    const { bff, service } = open("seven");
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

describe("POST /api/conversation never does it twice", () => {
  it("two tabs at once make one conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    const both = ["a", "b"].map((clientMessageId) =>
      bff.post("/api/conversation", { clientMessageId, body: "x" }, token),
    );
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 201]);
    expect(service.calls("conversations")).toHaveLength(1);
  });

  it("a start whose answer was lost is repeated with the same key", async () => {
    const { bff, service, clock } = open();
    const { token } = await bff.startSession();
    service.answer("conversations", async (_, real) => {
      await real();
      return new Promise<Response>(() => undefined);
    });
    const lost = bff.post("/api/conversation", MESSAGE, token);
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await lost)).toBe("504 support_timeout");
    service.mend("conversations");
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect([...service.conversations.keys()]).toEqual([await startedBy(answer)]);
    const keys = service.calls("conversations").map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("an unconfirmed first message is repeated in the same conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    service.answer("turns", async (_, real) => {
      await real();
      return json({});
    });
    expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
    service.mend("turns");
    const answer = await bff.post("/api/conversation", MESSAGE, token);
    expect(service.calls("conversations")).toHaveLength(1);
    const log = service.logOf(await startedBy(answer));
    expect(log.filter(({ type }) => type === "message.created")).toHaveLength(1);
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
  ])("reports that it is %s, in our own words", async (code, status) => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => problem(code, status));
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      `${status} ${code}`,
    );
    expect([...bff.answered, ...bff.lines].join("")).not.toContain("canary");
  });

  it("passes on no text of the service", async () => {
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

  it("a conversation that the service does not have counts as none; the next message starts one", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => json({}, 404));
    service.answer("messages", () => json({}, 404));
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    service.mend("turns");
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    expect(service.calls("conversations")).toHaveLength(2);
  });

  it("protects: another session's token leads only to its own conversation", async () => {
    const { bff, service } = open();
    await bff.startConversation();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    expect(service.calls("turns")).toHaveLength(1);
  });
});

/** The id of the hand-off that the service's log has. */
function handoffOf(service: FakeService, conversationId: string): string | undefined {
  for (const event of service.logOf(conversationId)) {
    if (event.type === "handoff.requested") return event.handoff.id;
  }
  return undefined;
}

describe("POST /api/conversation/handoff", () => {
  const ask = (body: unknown = {}) => ["/api/conversation/handoff", body] as const;

  it("works: reports what was requested, and names nobody", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    const answer = await bff.post(...ask({ reason: "urgent", summary: "parcel" }), token);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      handoff: { id: handoffOf(service, id), status: "requested", wait: { place: 1 } },
    });
    expect(service.calls("handoffs")[0]?.body).toEqual({
      conversationId: id,
      reason: "urgent",
      currentIntent: "parcel",
    });
  });

  it.each([
    ["accepted", "accepted"],
    ["failed", "failed"],
    ["queued", "requested"],
  ])("a service's %s is reported as %s", async (word, told) => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    service.answer("handoffs", () => json({ handoff: { id: "h", conversationId: id, status: word } }));
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

  it("one whose answer was lost is repeated with the same key", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("handoffs", async (_, real) => {
      await real();
      return json({});
    });
    expect(await problemOf(await bff.post(...ask(), token))).toBe("502 not_confirmed");
    service.mend("handoffs");
    expect((await bff.post(...ask(), token)).status).toBe(201);
    const keys = service.calls("handoffs").map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("refuses without a conversation, after its end, and on a route without people", async () => {
    const { bff, service } = open();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.post(...ask(), token))).toBe("409 no_conversation");
    service.answer("conversations", (_, real) =>
      changed<{ conversation: object }>(real, ({ conversation }) => ({
        conversation: { ...conversation, route: { channel: "web", agentProvider: "knowledge" } },
      })),
    );
    const alone = await bff.startConversation();
    expect(await problemOf(await bff.post(...ask(), alone.token))).toBe("409 handoff_unavailable");
    expect(service.calls("handoffs")).toHaveLength(0);
  });
});

describe("DELETE /api/conversation", () => {
  it("works, and again after the end", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    for (let time = 1; time <= 2; time += 1) {
      const answer = await bff.request("DELETE", "/api/conversation", { token });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ conversation: { id, status: "ended" } });
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

  it("an unconfirmed end leaves it open", async () => {
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
  it("returns what is public, and nothing else", async () => {
    const service = createFakeService();
    const bff = createTestBff({ service, env: { FALLBACK: "mailto:help@example.com" } });
    expect(await (await bff.request("GET", "/api/config")).json()).toEqual({
      version: "0.0.0-test",
      loader: {
        version: "0.0.0-test-_A4AyDeBy0SH4jSfdkt5vQWHlV4Vkzl7",
        integrity: expect.stringMatching(/^sha384-/),
        url: "http://localhost:3000/v/0.0.0-test-_A4AyDeBy0SH4jSfdkt5vQWHlV4Vkzl7/widget.js",
      },
      siteId: "parley",
      identityPolicy: "optional",
      fallback: { kind: "mail", href: "mailto:help@example.com" },
    });
  });
});
