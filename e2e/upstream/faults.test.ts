import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULT_NAMES, type FaultName, isAddressFault } from "./faults.ts";
import { type MockUpstream, startMockUpstream } from "./mock.ts";
import { type Ask, ask, type GoodClient, openGoodClient, type Seen } from "./raw-client.test-kit.ts";
import { UPSTREAM_TEXT } from "./wire.ts";

interface Side {
  readonly mock: MockUpstream;
  readonly client: GoodClient;
}
let plain: Side;
let secure: Side;
beforeAll(async () => {
  plain = await startSide(false);
  secure = await startSide(true);
});
afterAll(() => Promise.all([plain.mock.close(), secure.mock.close()]));

async function startSide(tls: boolean): Promise<Side> {
  const mock = await startMockUpstream({ kind: "full", tls, slowMs: 120 });
  return { mock, client: await openGoodClient(mock) };
}

type More = Partial<Ask>;
function start({ mock, client }: Side, more: More = {}): Promise<Seen> {
  return ask(mock.url, {
    method: "POST",
    path: "/v1/support/conversations",
    headers: client.session,
    body: { subject: "Hello" },
    ...(mock.certificate ? { ca: mock.certificate } : {}),
    ...more,
  });
}

/** Asks for a new conversation during the fault. */
async function see(side: Side, fault: FaultName, more: More = {}): Promise<Seen> {
  side.mock.setFault("conversations", fault);
  const seen = await start(side, more);
  await side.mock.clearFaults();
  return seen;
}

const json = (seen: Seen): unknown => JSON.parse(seen.text);
const ROUTE = {
  channel: "chat",
  agentProvider: "assistant",
  humanHandoffAdapter: "desk",
  reason: "The workspace's default.",
};
const RIGHT = {
  conversation: { id: expect.any(String), status: "open", startedAt: expect.any(String), route: ROUTE },
};

/** The result that a plain client of node:http must see, by the fault's name. */
const EXPECTED: Record<FaultName, (seen: Seen) => void> = {
  "empty-200": (seen) => expect(seen).toMatchObject({ status: 200, text: "", complete: true }),
  "object-200": (seen) => expect(seen).toMatchObject({ status: 200, text: "{}", type: "application/json" }),
  "array-200": (seen) => expect(seen).toMatchObject({ status: 200, text: "[]" }),
  "null-200": (seen) => expect(seen).toMatchObject({ status: 200, text: "null" }),
  "html-200": (seen) => expect(seen).toMatchObject({ status: 200, type: "text/html" }),
  "html-as-json": (seen) => {
    expect(seen).toMatchObject({ status: 200, type: "application/json" });
    expect(seen.text).toContain("<!doctype html>");
  },
  "truncated-json": (seen) => {
    expect(seen).toMatchObject({ status: 201, complete: true });
    expect(() => json(seen)).toThrow(SyntaxError);
  },
  // A conversation's start echoes nothing, so there is no other id.
  "other-id": (seen) => expect(seen.status).toBe(201),
  "no-id-201": (seen) => {
    expect(seen.status).toBe(201);
    expect(json(seen)).toEqual({
      conversation: { status: "open", startedAt: expect.any(String), route: ROUTE },
    });
  },
  "accepted-202": (seen) => {
    expect(seen.status).toBe(202);
    expect(json(seen)).toEqual(RIGHT);
  },
  "no-content-204": (seen) => expect(seen).toMatchObject({ status: 204, text: "", complete: true }),
  "wrong-content-type": (seen) => {
    expect(seen).toMatchObject({ status: 201, type: "text/plain" });
    expect(json(seen)).toEqual(RIGHT);
  },
  "redirect-302": (seen) => expect(seen.headers.location).toMatch(/\/canary$/),
  "redirect-307": (seen) => expect(seen).toMatchObject({ status: 307 }),
  "status-400": refused(400),
  "status-401": refused(401),
  "status-403": refused(403),
  "status-404": refused(404),
  "status-409": refused(409),
  "status-410": refused(410),
  "status-413": refused(413),
  "status-415": refused(415),
  "status-422": refused(422),
  "status-429": (seen) => expect(seen).toMatchObject({ status: 429, headers: { "retry-after": "7" } }),
  "status-500": refused(500),
  "status-501": refused(501),
  "status-502": refused(502),
  "status-503": (seen) => expect(seen).toMatchObject({ status: 503, headers: { "retry-after": "7" } }),
  "status-504": refused(504),
  "status-507": refused(507),
  "content-length-short": (seen) => {
    expect(seen.status).toBe(201);
    expect(() => json(seen)).toThrow(SyntaxError);
  },
  "content-length-long": brokenOff((text) => expect(JSON.parse(text)).toEqual(RIGHT)),
  "chunks-unfinished": brokenOff((text) => expect(JSON.parse(text)).toEqual(RIGHT)),
  "reset-before-headers": (seen) => expect(seen).toMatchObject({ status: undefined, error: "ECONNRESET" }),
  "reset-before-body": brokenOff((text) => expect(text).toBe("")),
  "reset-in-body": brokenOff((text) => expect(text).toMatch(/^\{"conv/)),
  "reset-after-body": brokenOff((text) => expect(JSON.parse(text)).toEqual(RIGHT)),
  "keep-alive-close": (seen) => expect(seen).toMatchObject({ status: undefined, error: "ECONNRESET" }),
  "never-ending-body": (seen) => {
    expect(seen).toMatchObject({ status: 201, error: "LEFT", complete: false });
    expect(seen.text).toMatch(/ {2,}$/);
    expect(json(seen)).toEqual(RIGHT);
  },
  "huge-50mb": (seen) => expect(seen).toMatchObject({ status: 201, complete: true, error: undefined }),
  hang: (seen) => expect(seen).toMatchObject({ status: undefined, error: "PATIENCE" }),
  slow: (seen) => {
    expect(seen).toMatchObject({ status: 201, complete: true });
    expect(json(seen)).toEqual(RIGHT);
  },
  "connect-refused": (seen) => expect(seen).toMatchObject({ status: undefined, error: "ECONNREFUSED" }),
  "tls-error": (seen) =>
    expect(seen).toMatchObject({ status: undefined, error: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
};

function refused(status: number): (seen: Seen) => void {
  return (seen) => {
    expect(seen).toMatchObject({ status, complete: true });
    expect(seen.text).toContain(UPSTREAM_TEXT);
  };
}

function brokenOff(text: (text: string) => void): (seen: Seen) => void {
  return (seen) => {
    expect(seen).toMatchObject({ status: 201, complete: false });
    expect(seen.error).toMatch(/ECONNRESET|aborted/);
    text(seen.text);
  };
}

/** These never end by themselves. */
const PATIENCE: Partial<Record<FaultName, More>> = {
  "never-ending-body": { leaveOn: / {2,}$/ },
  hang: { patienceMs: 100 },
};

describe("each fault really happens on the wire", () => {
  it.each(FAULT_NAMES)("%s", async (fault) => {
    const side = fault === "tls-error" ? secure : plain;
    EXPECTED[fault](await see(side, fault, PATIENCE[fault]));
    expect(side.mock.canaryCalls).toEqual([]);
    expect(side.mock.violations).toEqual([]);
  });

  it.each(FAULT_NAMES)("%s under TLS too", async (fault) => {
    EXPECTED[fault](await see(secure, fault, PATIENCE[fault]));
    expect(secure.mock.violations).toEqual([]);
  });

  it("huge-50mb really has 50 MB", async () => {
    const seen = await see(plain, "huge-50mb", { leaveAfterBytes: 2_000_000 });
    expect(Number(seen.headers["content-length"])).toBeGreaterThan(50 * 1024 * 1024);
  });

  it("other-id echoes something else where there is an echo", async () => {
    const { mock, client } = plain;
    mock.setFault("handoffs", "other-id");
    const seen = await start(plain, {
      path: "/v1/support/handoffs",
      headers: { ...client.session, "x-handoff-secret": mock.secrets.handoffSecret },
      body: { conversationId: client.conversationId },
    });
    await mock.clearFaults();
    expect(json(seen)).toMatchObject({ handoff: { conversationId: expect.stringMatching(/^other_/) } });
  });

  it("the address works again after its faults (control)", async () => {
    for (const fault of FAULT_NAMES.filter(isAddressFault)) {
      await see(secure, fault);
      expect((await start(secure)).status).toBe(201);
    }
  });
});

describe("arming a fault", () => {
  it("times counts the requests that meet it", async () => {
    plain.mock.setFault("conversations", "status-500", { times: 2 });
    const statuses = [await start(plain), await start(plain), await start(plain)].map(({ status }) => status);
    await plain.mock.clearFaults();
    expect(statuses).toEqual([500, 500, 201]);
  });

  it("done says whether the request took effect despite the lie", async () => {
    const { conversations } = plain.mock;
    const before = conversations.size;
    plain.mock.setFault("conversations", "empty-200", { done: false });
    await start(plain);
    expect(conversations.size).toBe(before);
    plain.mock.setFault("conversations", "empty-200");
    await start(plain);
    expect(conversations.size).toBe(before + 1);
    await plain.mock.clearFaults();
  });

  it("after lets the previous step through, and breaks the address then", async () => {
    plain.mock.setFault("conversations", "connect-refused", { after: "sessions" });
    await expect(openGoodClient(plain.mock)).rejects.toThrow(SyntaxError);
    expect(plain.mock.requests.at(-1)?.endpoint).toBe("sessions");
    await plain.mock.clearFaults();
  });
});
