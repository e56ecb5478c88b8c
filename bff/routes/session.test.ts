import { describe, expect, it } from "vitest";
import { changed, createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import { SessionState } from "../../shared/api/session.ts";
import { Capability, PanelCapability } from "../../shared/capability.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, whileTimePasses } from "../testing/test-clock.ts";

const open = (env: Record<string, string> = {}, kind: Kind = "full") => {
  const service = createFakeService({ kind });
  const clock = createTestClock();
  return { service, clock, bff: createTestBff({ service, clock, env }) };
};
const HOUR_MS = 3_600_000;

describe("POST /api/session works", () => {
  it("calls the service in the design's order, and returns what it verified", async () => {
    const { bff, service } = open();
    const capabilities = ["turns", "events", "messages", "idempotency", "link", "telepathy"];
    service.answer("capabilities", () => json({ capabilities }));
    const answer = await bff.post("/api/session", { locale: "de" });
    expect(answer.status).toBe(201);
    const state = SessionState.parse(await answer.json());
    expect(state).toMatchObject({
      customer: { identified: false },
      route: {
        channel: "chat",
        agentProvider: "knowledge",
        humanHandoffAdapter: "desk",
        reason: "The workspace's default.",
      },
      capabilities: ["turns", "events", "messages", "idempotency"],
      conversation: null,
    });
    expect(state.token).toMatch(/^[\w-]{43}$/);
    expect(state.customer.externalId).toMatch(/^anon_[\w-]{22}$/);
    expect(service.seen.map(({ operation }) => operation)).toEqual([
      "identify",
      "sessions",
      "capabilities",
      "supportSelection",
    ]);
    expect(service.calls("supportSelection")[0]?.body).toEqual({
      userID: state.customer.externalId,
      locale: "de",
    });
    expect(service.calls("supportSelection")[0]?.headers["authorization"]).toBe(
      `Bearer ${[...service.tokens.keys()][0]}`,
    );
  });

  it("sends the owner's preferences, and lets the service's answer decide", async () => {
    const { bff, service } = open({ SUPPORT_CHANNEL: "vip", AGENT_PROVIDER: "x", HANDOFF_ADAPTER: "y" });
    const { route } = await bff.startSession();
    expect(service.calls("supportSelection")[0]?.body).toMatchObject({
      channel: "vip",
      agentProvider: "x",
      humanHandoffAdapter: "y",
    });
    expect(route.agentProvider).toBe("knowledge");
  });

  it("falls back to the older selection and the seven endpoints if there is nothing more", async () => {
    const { bff } = open({}, "provider-only");
    const state = await bff.startSession();
    expect(state.capabilities).toEqual([]);
    expect(state.route).toEqual({
      channel: "knowledge",
      agentProvider: "knowledge",
      humanHandoffAdapter: "knowledge",
      reason: "The workspace's default.",
    });
  });

  it.each([3599.99999, 1e15, 1e306])("a token of %d seconds keeps the session usable", async (expiresIn) => {
    const { bff, service } = open();
    service.answer("sessions", (_, real) => changed(real, (body: object) => ({ ...body, expiresIn })));
    const { token } = await bff.startSession();
    expect((await bff.post("/api/session", {}, token)).status).toBe(200);
  });

  it("a page whose path is long once it is encoded keeps the session usable", async () => {
    const { bff } = open();
    const page = { url: `https://shop.example/${"ü".repeat(2000)}` };
    const started = await bff.post("/api/session", { page });
    const { token } = SessionState.parse(await started.json());
    expect((await bff.post("/api/session", { page }, token)).status).toBe(200);
    expect((await bff.post("/api/session", {}, token)).status).toBe(200);
  });

  it("omits capabilities that only the BFF uses", async () => {
    const { bff, service } = open();
    service.answer("capabilities", () => json({ capabilities: Capability.options }));
    const { capabilities } = await bff.startSession();
    expect(capabilities).toEqual(PanelCapability.options);
    expect(Capability.options).toContain("link");
  });

  it("resumes with the bearer token, with the conversation as the service has it", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    const message = { id: "m1", seq: 2, role: "customer", body: "Hello", at: "2026-11-21T12:00:00.000Z" };
    const mark = { seq: 3, at: "2026-11-21T12:00:01.000Z", type: "handoff.requested" };
    service.answer("messages", () =>
      json({
        conversation: {
          id,
          status: "open",
          handoff: { id: "h1", status: "requested" },
          note: "canary",
        },
        messages: [{ ...message, internal: "canary" }],
        marks: [{ ...mark, by: "canary" }],
        lastSeq: 3,
        epoch: "epoch-1",
      }),
    );
    const answer = await bff.post("/api/session", {}, token);
    expect(answer.status).toBe(200);
    const state = SessionState.parse(await answer.json());
    expect(state.token).toBe(token);
    expect(state.conversation).toMatchObject({
      id,
      status: "open",
      lastSeq: 3,
      handoff: { id: "h1", status: "requested" },
      messages: [message],
      marks: [mark],
    });
    expect(bff.answered.join("")).not.toContain("canary");
  });

  it("a line of an unknown type costs only itself, and not the conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const end = { seq: 2, at: "2026-11-21T12:00:00Z", type: "conversation.ended" };
    const marks = [{ ...end, seq: 1, type: "ticket.merged" }, end];
    service.answer("messages", () => json({ messages: [], marks, lastSeq: 2, epoch: "e" }));
    const answer = await bff.post("/api/session", {}, token);
    expect(answer.status).toBe(200);
    expect(SessionState.parse(await answer.json()).conversation?.marks).toEqual([end]);
  });

  it("resumes with one call for the conversation", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    const before = service.calls("messages").length;
    expect((await bff.post("/api/session", {}, token)).status).toBe(200);
    expect(service.calls("messages")).toHaveLength(before + 1);
  });

  it("resumes without a conversation if the service no longer has it", async () => {
    const { bff, clock, service } = open();
    const { token } = await bff.startConversation();
    service.answer("messages", () => json({}, 404));
    const resumed = await whileTimePasses(clock, bff.post("/api/session", {}, token));
    expect(await resumed.json()).toMatchObject({ conversation: null });
  });

  it("keeps a conversation if only a proxy answered 404", async () => {
    const { bff, service } = open();
    const { token, id } = await bff.startConversation();
    service.answer(
      "messages",
      () => new Response("<h1>404</h1>", { status: 404, headers: { "content-type": "text/html" } }),
    );
    expect(await problemOf(await bff.post("/api/session", {}, token))).toBe("502 support_refused");
    service.mend("messages");
    expect(await (await bff.post("/api/session", {}, token)).json()).toMatchObject({
      conversation: { id },
    });
  });
});

describe("POST /api/session refuses", () => {
  it("an identity token while no identity keys are configured", async () => {
    const { bff, service } = open();
    const answer = await bff.post("/api/session", { token: "e30.e30.AAAA" });
    expect(answer.status).toBe(401);
    expect(service.seen).toEqual([]);
  });

  it("a bad bearer token, without silently starting another session", async () => {
    const { bff, service } = open();
    expect(await problemOf(await bff.post("/api/session", {}, "A".repeat(43)))).toBe("401 unauthenticated");
    expect(service.seen).toEqual([]);
  });

  it("a session with a step that the service did not confirm, and stores nothing for it", async () => {
    const { bff, service } = open();
    service.answer("supportSelection", () => json({ agentProvider: "x" }));
    expect(await problemOf(await bff.post("/api/session", {}))).toBe("502 not_confirmed");
  });
});

describe("POST /api/session protects", () => {
  it("secrets in traits never reach the service, and their values never reach a log", async () => {
    const { bff, service } = open();
    const traits = {
      plan: "pro",
      password: "canary-1",
      apiToken: "canary-2",
      note: "eyJhbGciOiJIUzI1NiJ9.eyJjYW5hcnkiOjF9.c2ln",
      card: "canary",
      number: "4111 1111 1111 1111",
      stripe: "sk_live_canary12345",
      since: 1732190000000,
      identified: true,
      tokenring: "kept",
    };
    await bff.post("/api/session", { traits });
    expect(service.calls("identify")[0]?.body).toMatchObject({
      attributes: {
        "page.plan": "pro",
        "page.since": 1732190000000,
        "page.tokenring": "kept",
        "page.identified": true,
        identified: false,
      },
    });
    const [identified] = service.calls("identify");
    expect(identified?.body).toHaveProperty("attributes.identified");
    // Random ids have any digits.
    const withoutIds = (text: string) => text.replace(/"(?:requestId|externalId)":"[^"]*"/g, "");
    expect(withoutIds(JSON.stringify(identified?.body))).not.toMatch(/canary|4111|eyJ/);
    expect(bff.lines.join("")).toContain("apiToken");
    expect(withoutIds(bff.lines.join(""))).not.toMatch(/canary|4111/);
  });

  it("no header of the client reaches the service", async () => {
    const { bff, service } = open();
    await bff.request("POST", "/api/session", {
      headers: {
        "content-type": "application/json",
        cookie: "canary=1",
        "x-forwarded-host": "canary",
        "x-public-key": "canary",
        "x-custom": "canary",
        "user-agent": "canary",
      },
      body: "{}",
    });
    expect(service.seen.length).toBe(4);
    expect(JSON.stringify(service.seen)).not.toContain("canary");
  });
});

describe("the life of a session", () => {
  it("ends after 24 hours without use, and after 7 days at the latest", async () => {
    const { bff, clock } = open();
    const idle = await bff.startSession();
    await clock.skip(24 * HOUR_MS - 1);
    expect((await bff.post("/api/session", {}, idle.token)).status).toBe(200);
    await clock.skip(24 * HOUR_MS);
    expect(await problemOf(await bff.post("/api/session", {}, idle.token))).toMatch(/^401 /);

    const busy = await bff.startSession();
    for (let hours = 0; hours < 7 * 24 - 12; hours += 12) {
      await clock.skip(12 * HOUR_MS);
      expect((await bff.post("/api/session", {}, busy.token)).status).toBe(200);
    }
    await clock.skip(12 * HOUR_MS);
    expect(await problemOf(await bff.post("/api/session", {}, busy.token))).toMatch(/^401 /);
  });

  it("reports when it ends", async () => {
    const { bff, clock } = open();
    const { expiresAt } = await bff.startSession();
    expect(Date.parse(expiresAt) - clock.now()).toBe(24 * HOUR_MS);
  });

  it("is revoked for good by a logout", async () => {
    const { bff } = open();
    const { token } = await bff.startConversation();
    const answer = await bff.request("DELETE", "/api/session", { token });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ revoked: true });
    expect(await problemOf(await bff.post("/api/session", {}, token))).toBe("401 unauthenticated");
    expect(await problemOf(await bff.request("DELETE", "/api/session", { token }))).toBe(
      "401 unauthenticated",
    );
  });

  it("the service's token is renewed automatically before it expires, once for many requests", async () => {
    const { bff, service, clock } = open();
    const { token } = await bff.startConversation();
    await clock.advance(880_000);
    const sends = ["a", "b", "c"].map((clientMessageId) =>
      bff.post("/api/conversation/messages", { clientMessageId, body: "x" }, token),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(service.calls("sessions")).toHaveLength(2);
    const [first, second] = [...service.tokens.keys()];
    expect(second).not.toBe(first);
    expect(service.calls("turns").at(-1)?.headers["authorization"]).toBe(`Bearer ${second}`);
  });

  it("a token that the service refuses is renewed once, and the call repeated", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.endTokens();
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    service.answer("turns", () => json({}, 401));
    const before = service.calls("sessions").length;
    const refused = await bff.post("/api/conversation", { clientMessageId: "k", body: "x" }, token);
    expect(await problemOf(refused)).toBe("502 support_refused");
    expect(service.calls("sessions").length - before).toBe(1);
  });

  it("a failed renewal before the expiry keeps the old token in use", async () => {
    const { bff, service, clock } = open();
    const { token } = await bff.startConversation();
    service.answer("sessions", () => json({}, 503));
    await clock.advance(880_000);
    const send = () => bff.post("/api/conversation/messages", { clientMessageId: "k", body: "x" }, token);
    expect((await send()).status).toBe(201);
    await clock.advance(20_000);
    expect(await problemOf(await send())).toBe("503 support_unreachable");
  });
});
