import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import type { Log } from "../../shared/server/log.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { createTestBff, ORIGIN, problemOf, type TestBff, type TestBffOptions } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

const DAY_MS = 86_400_000;

function open(more: Partial<TestBffOptions> = {}) {
  const service = createFakeService();
  const lines = withEventLines(service);
  const clock = createTestClock();
  return { service, lines, clock, bff: createTestBff({ service, clock, ...more }) };
}

type Ask = [method: string, path: string, body?: unknown];
const ROUTES: readonly Ask[] = [
  ["POST", "/api/session", {}],
  ["POST", "/api/session/identity", { token: "x" }],
  ["DELETE", "/api/session"],
  ["POST", "/api/conversation", { clientMessageId: "k", body: "x" }],
  ["POST", "/api/conversation/messages", { clientMessageId: "k", body: "x" }],
  ["GET", "/api/conversation/events"],
  ["POST", "/api/conversation/handoff", {}],
  ["DELETE", "/api/conversation"],
];

function ask(bff: TestBff, [method, path, body]: Ask, authorization: string) {
  const headers: Record<string, string> = { authorization };
  if (body !== undefined) headers["content-type"] = "application/json";
  return bff.request(method, path, {
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Every way in which a token can be invalid. */
const STATES: Readonly<Record<string, (at: ReturnType<typeof open>) => Promise<string>>> = {
  missing: () => Promise.resolve(""),
  malformed: () => Promise.resolve("Bearer not-a-token"),
  "of another scheme": async ({ bff }) => `Basic ${(await bff.startConversation()).token}`,
  unknown: () => Promise.resolve(`Bearer ${"A".repeat(43)}`),
  "of another site": async () => `Bearer ${(await open().bff.startConversation()).token}`,
  expired: async ({ bff, clock }) => {
    const { token } = await bff.startConversation();
    await clock.skip(8 * DAY_MS);
    return `Bearer ${token}`;
  },
  idle: async ({ bff, clock }) => {
    const { token } = await bff.startConversation();
    await clock.skip(DAY_MS + 1);
    return `Bearer ${token}`;
  },
  revoked: async ({ bff }) => {
    const { token } = await bff.startConversation();
    await bff.request("DELETE", "/api/session", { token });
    return `Bearer ${token}`;
  },
  "cut short": async ({ bff }) => `Bearer ${(await bff.startConversation()).token.slice(0, -1)}`,
  "with something behind it": async ({ bff }) => `Bearer ${(await bff.startConversation()).token}A`,
};

describe("an invalid token authenticates nobody", () => {
  describe.each(ROUTES)("%s %s", (...operation: Ask) => {
    it.each(Object.keys(STATES))("a token that is %s", async (state) => {
      const at = open();
      const authorization = (await STATES[state]?.(at)) ?? "";
      const before = at.service.seen.length;
      const answer = await ask(at.bff, operation, authorization);
      // Without a token this path starts a session.
      if (operation[1] === "/api/session" && operation[0] === "POST" && state === "missing") {
        expect(answer.status).toBe(201);
        return;
      }
      expect(await problemOf(answer)).toMatch(/^401 (unauthenticated|session_expired)$/);
      expect(at.service.seen).toHaveLength(before);
    });
  });

  it.each(ROUTES)("%s %s: a broken store lets nobody in", async (...operation: Ask) => {
    const at = open();
    const { token } = await at.bff.startConversation();
    const fresh = open({ store: brokenStore() });
    const answer = await ask(fresh.bff, operation, `Bearer ${token}`);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(fresh.service.seen).toEqual([]);
  });

  it.each(ROUTES)("%s %s: a valid token is let in (control)", async (...operation: Ask) => {
    const { bff } = open();
    const { token } = await bff.startConversation();
    const answer = await ask(bff, operation, `Bearer ${token}`);
    if (operation[1] === "/api/session/identity") return expect(await problemOf(answer)).toMatch(/identity_/);
    expect(answer.ok).toBe(true);
  });
});

/** A session store whose disk failed. */
function brokenStore(): NonNullable<TestBffOptions["store"]> {
  const down = () => Promise.reject(new Error("canary-store: disk I/O error at /var/lib/parley/bff.sqlite"));
  return new Proxy({} as NonNullable<TestBffOptions["store"]>, {
    get(_, name) {
      if (name === "then") return undefined;
      // Signals stay in this process, and do not touch the disk.
      return ["subscribe", "publish", "onGap"].includes(String(name)) ? () => undefined : down;
    },
  });
}

describe("no thrown error leaks into an answer", () => {
  it.each(ROUTES)("%s %s", async (...operation: Ask) => {
    const canary = "canary SELECT * FROM secrets at /srv/app/x.ts:1";
    const { service, bff, clock } = open();
    const { token } = await bff.startConversation();
    const throwing = () => {
      throw Object.assign(new Error(canary), {
        code: "ECANARYCODE",
        stack: `Error: ${canary}\n    at x (y.ts:1)`,
      });
    };
    for (const id of [
      "identify",
      "sessions",
      "turns",
      "handoffs",
      "endConversation",
      "events",
      "messages",
    ] as const)
      service.answer(id, throwing);
    const pending = ask(bff, operation, `Bearer ${token}`);
    // Repeatable calls are tried again after a delay.
    for (let round = 0; round < 4; round += 1) await clock.advance(500);
    const answer = await pending;
    const text = `${JSON.stringify([...answer.headers])} ${answer.ok && operation[0] === "GET" ? "" : await answer.text()}`;
    expect(text).not.toMatch(/canary|SELECT|y\.ts/);
    expect(bff.lines.join("\n")).not.toMatch(/canary SELECT/);
  });

  it("in an open event stream", async () => {
    const { lines, bff, clock } = open();
    const { token } = await bff.startConversation();
    const answer = await bff.request("GET", "/api/conversation/events", { token });
    lines[0]?.send(`data: {"type":"canary ${"x".repeat(20)}"}\n\ndata: canary not json\n\nevent: canary\n\n`);
    lines[0]?.cut();
    await clock.advance(1000);
    bff.bff.drain();
    expect(`${await answer.text()} ${bff.lines.join("\n")}`).not.toContain("canary");
  });

  it("a log that throws gives only `internal`", async () => {
    const throwing = () => {
      throw new Error("canary-log");
    };
    const log: Log = { debug: throwing, info: () => undefined, warn: throwing, error: () => undefined };
    const { service, bff } = open({ log });
    service.answer("identify", () => json({}, 500));
    const answer = await bff.post("/api/session", {});
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await answer.text()).not.toContain("canary");
  });
});

describe("headers of each class of answer", () => {
  const env = {
    PUBLIC_URL: "https://chat.example.com",
    ALLOWED_ORIGINS: `${ORIGIN}`,
    METRICS_TOKEN: "metrics",
  };
  /** Headers whose values differ between answers. */
  const OWN = new Set(["x-request-id", "etag", "ratelimit", "content-length"]);

  async function headersOf(bff: TestBff, method: string, path: string, token?: string) {
    const headers = path === "/metrics" ? { authorization: "Bearer metrics" } : {};
    const answer = await bff.request(method, path, { token, headers });
    return {
      status: answer.status,
      ...Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name))),
    };
  }

  it("are exactly these", async () => {
    const { bff } = open({ env });
    const { token } = await bff.startConversation();
    const classes: Record<string, object> = {};
    for (const [method, path, bearer] of [
      ["GET", "/api/config"],
      ["GET", "/api/conversation/events", token],
      ["GET", "/api/nothing"],
      ["PUT", "/api/session"],
      ["GET", "/widget.js"],
      ["GET", "/frame"],
      ["GET", "/assets/main-abc.js"],
      ["GET", "/assets/nothing.js"],
      ["GET", "/livez"],
      ["GET", "/readyz"],
      ["GET", "/metrics"],
      ["GET", "/nothing"],
    ] as const) {
      classes[`${method} ${path}`] = await headersOf(bff, method, path, bearer);
    }
    expect(classes).toMatchSnapshot();
    for (const [name, headers] of Object.entries(classes) as [string, Record<string, string>][]) {
      expect(headers, name).not.toHaveProperty("set-cookie");
      expect(headers, name).not.toHaveProperty("server");
      expect(headers, name).not.toHaveProperty("x-powered-by");
      // Only the loader may be loaded by every site: a tag with `integrity` needs it.
      expect(headers["access-control-allow-origin"], name).toBe(name === "GET /widget.js" ? "*" : undefined);
      expect(headers["x-content-type-options"], name).toBe("nosniff");
    }
  });
});

describe("between two customers", () => {
  it("a shared cache never gives a customer another one's answer", async () => {
    const { bff } = open();
    const tokens = await Promise.all([1, 2].map(async () => (await bff.startConversation()).token));
    const stored = new Map<string, string>();
    /** The worst cache that still obeys `no-store`: it ignores everything but the URL. */
    const throughCache = async (path: string, token: string) => {
      const known = stored.get(path);
      if (known !== undefined) return known;
      const answer = await bff.request("POST", path, {
        token,
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      const text = await answer.text();
      if (!answer.headers.get("cache-control")?.includes("no-store")) stored.set(path, text);
      return text;
    };
    const [one, other] = await Promise.all(tokens.map((token) => throughCache("/api/session", token)));
    expect(one).not.toBe(other);
    expect(stored.size).toBe(0);
  });
});

describe("the log", () => {
  it("has one entry per request, and no text of a customer", async () => {
    const { bff } = open();
    const evil = "canary canary@example.com\nERROR forged";
    const answer = await bff.post("/api/session", {
      locale: "de",
      page: { url: "https://www.example.com/canary?canary=1#canary", title: "canary" },
      traits: { plan: "canary" },
    });
    expect(answer.status).toBe(201);
    const { token } = (await answer.json()) as { token: string };
    await bff.post("/api/conversation", { clientMessageId: "k", body: evil }, token);
    await bff.post("/api/conversation/handoff", { reason: evil, summary: evil }, token);
    const all = bff.lines.join("\n");
    expect(all).not.toMatch(/canary|forged|example\.com/);
    for (const line of bff.lines) expect(line).not.toMatch(/[\r\n]/);
    expect(all).not.toContain(token);
    expect(all).not.toContain("anon_");
    expect(bff.lines.at(-1)).toMatch(/"who":"[\w-]{12}"/);
  });
});
