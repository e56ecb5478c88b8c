import { afterEach, describe, expect, it } from "vitest";
import { Capability } from "../../shared/capability.ts";
import { THE_SEVEN } from "../../shared/v1/contract.ts";
import { TurnEvent } from "../../shared/v1/turns.ts";
import { FAULT_NAMES, FAULTS } from "./faults.ts";
import { type MockOptions, type MockUpstream, startMockUpstream } from "./mock.ts";
import { ask, openGoodClient } from "./raw-client.test-kit.ts";
import { SCRIPT_NAMES } from "./turn-script.ts";

const running: MockUpstream[] = [];
async function start(options: MockOptions): Promise<MockUpstream> {
  const mock = await startMockUpstream(options);
  running.push(mock);
  return mock;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((mock) => mock.close()));
});

const turn = (body: string, clientMessageId = "m1") => ({
  clientMessageId,
  content: { body, format: "plain" },
  attachments: [],
});

describe("a healthy upstream", () => {
  it.each(["seven", "turns", "full"] as const)(
    "%s: each of the seven answers as its schema says",
    async (kind) => {
      const mock = await start({ kind });
      const { conversationId, application, session } = await openGoodClient(mock);
      const keys = { "x-public-key": mock.secrets.publicKey };
      const secret = { "x-handoff-secret": mock.secrets.handoffSecret };
      const asks = {
        identify: {
          headers: { authorization: application["authorization"] ?? "" },
          body: { externalId: "anon_1" },
        },
        sessions: { headers: application, body: { externalId: "anon_1" } },
        providerSelection: { headers: { ...session, ...keys }, body: { userID: "anon_1" } },
        supportSelection: { headers: { ...session, ...keys }, body: { userID: "anon_1" } },
        conversations: { headers: session, body: {} },
        handoffs: { headers: { ...session, ...secret }, body: { conversationId } },
        endConversation: { headers: session },
      };
      for (const operation of THE_SEVEN) {
        const path = operation.path.replace(":id", conversationId);
        const seen = await ask(mock.url, { method: operation.method, path, ...asks[operation.id] });
        expect(seen.status, operation.id).toBeGreaterThanOrEqual(200);
        expect(seen.status, operation.id).toBeLessThan(300);
        expect(operation.answer.safeParse(JSON.parse(seen.text)).success, operation.id).toBe(true);
      }
      expect(mock.violations).toEqual([]);
    },
  );

  it("declares its capabilities, and with only the seven endpoints answers 404", async () => {
    for (const [kind, capabilities] of [
      ["seven", undefined],
      ["provider-only", undefined],
      ["turns", ["turns"]],
      ["full", Capability.options],
    ] as const) {
      const mock = await start({ kind });
      const { session } = await openGoodClient(mock);
      const seen = await ask(mock.url, { method: "GET", path: "/v1/support/capabilities", headers: session });
      expect(seen.status).toBe(capabilities ? 200 : 404);
      if (capabilities) {
        const { capabilities: said } = JSON.parse(seen.text) as { capabilities: string[] };
        expect(said.toSorted()).toEqual(capabilities.toSorted());
      }
      expect(mock.violations).toEqual([]);
    }
  });

  it("without support-selection only provider-selection chooses", async () => {
    const mock = await start({ kind: "provider-only" });
    const { session, application } = await openGoodClient(mock);
    const headers = { ...application, ...session };
    const select = (path: string) =>
      ask(mock.url, { method: "POST", path, headers, body: { userID: "anon_1" } });
    expect((await select("/v1/sdk/support-selection")).status).toBe(404);
    expect((await select("/v1/sdk/provider-selection")).status).toBe(200);
    expect(mock.violations).toEqual([]);
  });

  it("the same key returns the first answer again, another body is 422", async () => {
    const mock = await start({ kind: "full" });
    const { session } = await openGoodClient(mock);
    const begin = (subject: string) =>
      ask(mock.url, {
        method: "POST",
        path: "/v1/support/conversations",
        headers: { ...session, "idempotency-key": "k1" },
        body: { subject },
      });
    const first = await begin("One");
    expect((await begin("One")).text).toBe(first.text);
    expect((await begin("Two")).status).toBe(422);
  });

  it("HAND1 a hand-off asked for twice is one", async () => {
    const mock = await start({ kind: "full" });
    const { session, conversationId } = await openGoodClient(mock);
    const headers = { ...session, "x-handoff-secret": mock.secrets.handoffSecret };
    const request = () =>
      ask(mock.url, { method: "POST", path: "/v1/support/handoffs", headers, body: { conversationId } });
    expect((await request()).text).toBe((await request()).text);
    expect(mock.logOf(conversationId).map((event) => event.type)).toEqual([
      "conversation.started",
      "handoff.requested",
    ]);
  });

  it("the log is followed after Last-Event-ID, without gaps or duplicates", async () => {
    const mock = await start({ kind: "full" });
    const { session, conversationId } = await openGoodClient(mock);
    const path = `/v1/support/conversations/${conversationId}`;
    await ask(mock.url, { method: "POST", path: `${path}/turns`, headers: session, body: turn("Hello") });
    const seen = await ask(mock.url, {
      method: "GET",
      path: `${path}/events`,
      headers: { ...session, accept: "text/event-stream", "last-event-id": "1" },
      leaveOn: /^id: 3\n/m,
    });
    expect(seen.type).toBe("text/event-stream; charset=utf-8");
    expect([...seen.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(["2", "3"]);
    expect(mock.violations).toEqual([]);
  });

  it.each(["plain", ...SCRIPT_NAMES])("a turn streams the script %s", async (script) => {
    const mock = await start({ kind: "turns" });
    const { session, conversationId } = await openGoodClient(mock);
    const seen = await ask(mock.url, {
      method: "POST",
      path: `/v1/support/conversations/${conversationId}/turns`,
      headers: { ...session, accept: "application/x-ndjson" },
      body: turn(`How long? ${script}`),
      // Held open until it is released: nothing more follows the first line.
      ...(script === "#hold" ? { leaveOn: /\n$/ } : {}),
    });
    expect(seen.status).toBe(200);
    expect(seen.type).toBe("application/x-ndjson");
    expect(seen.error === "ECONNRESET" || seen.error === "LEFT").toBe(
      script === "#cut" || script === "#hold",
    );
    const lines = seen.text.split("\n").slice(0, -1);
    const known = lines.filter((line) => TurnEvent.safeParse(JSON.parse(line)).success);
    expect(lines.length - known.length).toBe(script === "#unknown" ? 2 : 0);
    expect(mock.violations).toEqual([]);
  });
});

describe("strictness", () => {
  interface Wrong {
    readonly name: string;
    readonly says: RegExp;
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Record<string, string | undefined>;
    readonly body?: unknown;
    readonly text?: string;
  }
  const WRONG: readonly Wrong[] = [
    { name: "no proof", headers: { authorization: undefined }, says: /no session token/ },
    { name: "a token never issued", headers: { authorization: "Bearer x" }, says: /never issued/ },
    { name: "another scheme", headers: { authorization: "Basic abc" }, says: /no session token/ },
    { name: "a browser's header", headers: { cookie: "a=b" }, says: /the header cookie was passed on/ },
    { name: "a proxy's header", headers: { "x-forwarded-for": "1.2.3.4" }, says: /x-forwarded-for/ },
    { name: "another media type", headers: { "content-type": "text/plain" }, says: /media type text\/plain/ },
    { name: "no JSON", text: "{", says: /not JSON/ },
    { name: "an unknown key", body: { subject: "x", locale: "de" }, says: /unknown key locale/ },
    { name: "a wrong type", body: { subject: 1 }, says: /wrong shape: subject/ },
    { name: "the secret elsewhere", headers: { "x-handoff-secret": "s" }, says: /no business/ },
    { name: "another public key", headers: { "x-public-key": "pk" }, says: /another public key/ },
    { name: "a query", path: "/v1/support/conversations?a=b", says: /query parameter a/ },
    { name: "another Accept", headers: { accept: "text/html" }, says: /text\/html by Accept/ },
    { name: "an address that is none", path: "/v1/support/tickets", says: /no service has/ },
    {
      name: "a dot segment",
      path: "/v1/support/conversations/..%2f..%2fx",
      method: "DELETE",
      says: /never issued/,
    },
    {
      name: "an id never issued",
      path: "/v1/support/conversations/conv_x",
      method: "DELETE",
      says: /never issued/,
    },
    {
      name: "another customer's id",
      path: "/v1/support/conversations/FOREIGN",
      method: "DELETE",
      says: /another customer's/,
    },
    {
      name: "the selection of somebody else",
      path: "/v1/sdk/support-selection",
      body: { userID: "else" },
      says: /another customer than/,
    },
    {
      name: "no public key",
      path: "/v1/sdk/support-selection",
      body: { userID: "anon_1" },
      says: /public key/,
    },
    {
      name: "no hand-off secret",
      path: "/v1/support/handoffs",
      body: { conversationId: "OWN" },
      says: /secret/,
    },
    {
      name: "what this service has not",
      path: "/v1/support/conversations/OWN/turns",
      says: /no such endpoint/,
    },
  ];

  it.each(WRONG)("$name is recorded and refused", async ({ says, path, method, headers, body, text }) => {
    const mock = await start({ kind: "seven" });
    const own = await openGoodClient(mock);
    const foreign = await openGoodClient(mock, "anon_2");
    expect(mock.violations).toEqual([]);
    const fill = (value: string) =>
      value.replace("OWN", own.conversationId).replace("FOREIGN", foreign.conversationId);
    const merged = Object.entries({ ...own.session, ...headers }).filter(([, value]) => value !== undefined);
    const before = mock.conversations.size;
    const seen = await ask(mock.url, {
      method: method ?? "POST",
      path: fill(path ?? "/v1/support/conversations"),
      headers: Object.fromEntries(merged) as Record<string, string>,
      ...(method === "DELETE"
        ? {}
        : text === undefined
          ? { body: JSON.parse(fill(JSON.stringify(body ?? {}))) }
          : { text }),
    });
    expect(seen.status).toBeGreaterThanOrEqual(400);
    expect(mock.violations.join("\n")).toMatch(says);
    expect(mock.conversations.size).toBe(before);
  });

  it("an expired token is refused without recording a violation", async () => {
    const mock = await start({ kind: "seven" });
    const { session } = await openGoodClient(mock);
    mock.endTokens();
    const seen = await ask(mock.url, {
      method: "POST",
      path: "/v1/support/conversations",
      headers: session,
      body: {},
    });
    expect(seen.status).toBe(401);
    expect(mock.violations).toEqual([]);
  });

  it("uses the configured schemes and header names", async () => {
    const mock = await start({
      kind: "seven",
      auth: { conversations: "application", sessions: "none" },
      publicKeyHeader: "x-app",
    });
    const { credential, publicKey } = mock.secrets;
    const headers = { authorization: `Bearer ${credential}`, "x-app": publicKey };
    const post = (path: string, given: Record<string, string>, body: unknown) =>
      ask(mock.url, { method: "POST", path, headers: given, body });
    expect((await post("/v1/support/conversations", headers, {})).status).toBe(201);
    expect((await post("/v1/sdk/sessions", { "x-app": publicKey }, { externalId: "a" })).status).toBe(201);
    expect(mock.violations).toEqual([]);
    expect((await post("/v1/sdk/sessions", headers, { externalId: "a" })).status).toBe(400);
  });
});

describe("the table of faults", () => {
  it("each has a line that says what it does, and a verdict for every endpoint", () => {
    expect(FAULT_NAMES.length).toBeGreaterThanOrEqual(40);
    for (const name of FAULT_NAMES) {
      expect(FAULTS[name].wire, name).not.toBe("");
      for (const { id } of THE_SEVEN)
        expect(FAULTS[name].verdict(id), name).toMatch(/^(fails|holds|free|none)$/);
    }
  });

  it("204 is an end, 202 is not, and a wrong address proves nothing", () => {
    expect(FAULTS["no-content-204"].verdict("endConversation")).toBe("holds");
    expect(FAULTS["accepted-202"].verdict("endConversation")).toBe("fails");
    expect(FAULTS["no-content-204"].verdict("handoffs")).toBe("fails");
  });
});
