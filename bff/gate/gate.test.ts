import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { createTestBff, ORIGIN, problemOf, type TestRequest } from "../testing/test-bff.ts";

const open = (env: Record<string, string> = {}) => {
  const service = createFakeService();
  return { service, bff: createTestBff({ service, env }) };
};
const JSON_TYPE = { "content-type": "application/json" };
const START: TestRequest = { headers: JSON_TYPE, body: "{}" };
const withHeaders = (headers: Record<string, string>): TestRequest => ({
  ...START,
  headers: { ...JSON_TYPE, ...headers },
});
const streamOf = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    start(body) {
      for (let sent = 0; sent < bytes; sent += 1024) body.enqueue(new Uint8Array(1024).fill(0x20));
      body.close();
    },
  });

describe("GATE1 the origin gate", () => {
  it.each(["http://localhost:3000", "http://127.0.0.1:3000"])("lets %s in", async (origin) => {
    const { bff } = open();
    expect((await bff.request("POST", "/api/session", withHeaders({ origin }))).status).toBe(201);
  });

  it.each([
    "https://evil.example",
    "null",
    "http://localhost:3001",
    "https://localhost:3000",
    "http://localhost:3000.evil.example",
    "http://LOCALHOST:3000",
    "http://localhost.:3000",
    "http://localhost:3000/",
    "http://localhost:3000, https://evil.example",
    "http://[::1]:3000",
  ])("refuses %s before any handler runs", async (origin) => {
    const { bff, service } = open();
    const answer = await bff.request("POST", "/api/session", withHeaders({ origin }));
    expect(await problemOf(answer)).toBe("403 origin_not_allowed");
    expect(service.seen).toEqual([]);
  });

  it("refuses a change without an origin, whatever Sec-Fetch-Site says", async () => {
    const { bff, service } = open();
    for (const site of ["same-origin", "none", ""]) {
      const answer = await bff.request(
        "POST",
        "/api/session",
        withHeaders({ origin: "", "sec-fetch-site": site }),
      );
      expect(await problemOf(answer)).toBe("403 origin_not_allowed");
    }
    expect(service.seen).toEqual([]);
  });

  it.each([
    ["same-origin", 200],
    ["", 200],
    ["cross-site", 403],
    ["same-site", 403],
    ["none", 403],
  ])("a read without an origin and site %j is answered %i", async (site, status) => {
    const { bff } = open();
    const answer = await bff.request("GET", "/api/config", {
      headers: { origin: "", "sec-fetch-site": site },
    });
    expect(answer.status).toBe(status);
  });

  it("a foreign origin is refused for reads too", async () => {
    const answer = await open().bff.request("GET", "/api/config", {
      headers: { origin: "https://evil.example" },
    });
    expect(answer.status).toBe(403);
  });

  it("only the public address and ALLOWED_ORIGINS are let in", async () => {
    const { bff } = open({
      PUBLIC_URL: "https://chat.example.com",
      ALLOWED_ORIGINS: "https://www.example.com",
    });
    const status = async (origin: string) =>
      (await bff.request("POST", "/api/session", withHeaders({ origin }))).status;
    expect(await status("https://chat.example.com")).toBe(201);
    expect(await status("https://www.example.com")).toBe(201);
    expect(await status(ORIGIN)).toBe(403);
  });

  it("the loader, the panel and the health checks are exempt", async () => {
    const { bff } = open();
    for (const path of ["/widget.js", "/frame", "/livez", "/readyz"]) {
      const headers = { origin: "https://any.example", "sec-fetch-site": "cross-site" };
      expect((await bff.request("GET", path, { headers })).status).toBe(200);
    }
  });
});

describe("addresses", () => {
  it.each([
    ["/api", 404],
    ["/api/", 404],
    ["/api/nothing", 404],
    ["/api/session/", 404],
    ["/api/session/identity", 401],
    ["/api/session/identity/", 404],
    ["/API/session", 404],
    ["//api/session", 404],
    ["/api//session", 404],
    ["/api%2fsession", 404],
    ["/api/session%00", 404],
    ["/api/./session", 201],
    ["/api/x/../session", 201],
    ["/nothing", 404],
  ])("POST %s is answered %i, and without an origin never reaches a handler", async (path, status) => {
    const { bff, service } = open();
    expect((await bff.request("POST", `http://localhost:3000${path}`, START)).status).toBe(status);
    const before = service.seen.length;
    const bare = await bff.request("POST", `http://localhost:3000${path}`, withHeaders({ origin: "" }));
    expect(bare.status).toBeGreaterThanOrEqual(403);
    expect(service.seen).toHaveLength(before);
  });

  it.each(["PUT", "PATCH", "HEAD", "OPTIONS", "QUERY"])("%s is refused", async (method) => {
    const { bff, service } = open();
    const answer = await bff.request(method, "/api/session");
    expect(answer.status).toBe(405);
    expect(service.seen).toEqual([]);
  });

  it("a wrong method gets 405 with the allowed ones, and no header overrides the method", async () => {
    const { bff } = open();
    const answer = await bff.request("GET", "/api/session", {
      headers: { "x-http-method-override": "POST" },
    });
    expect(answer.headers.get("allow")).toBe("POST, DELETE");
    expect(await problemOf(answer)).toBe("405 method_not_allowed");
  });
});

describe("GATE3 bodies", () => {
  it.each<[string, TestRequest, string]>([
    ["no type", { headers: { "content-type": "" }, body: "{}" }, "415 unsupported_media_type"],
    ["text", { headers: { "content-type": "text/plain" }, body: "{}" }, "415 unsupported_media_type"],
    [
      "a form",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1" },
      "415 unsupported_media_type",
    ],
    [
      "another JSON",
      { headers: { "content-type": "application/ld+json" }, body: "{}" },
      "415 unsupported_media_type",
    ],
    ["compressed", withHeaders({ "content-encoding": "gzip" }), "415 unsupported_media_type"],
    ["nothing", { headers: JSON_TYPE }, "400 bad_json"],
    [
      "an announced 32 kB and one",
      withHeaders({ "content-length": String(MAX_BODY_BYTES + 1) }),
      "413 body_too_large",
    ],
    ["a length that is not a number", withHeaders({ "content-length": "many" }), "413 body_too_large"],
    [
      "32 kB more than announced",
      { headers: { ...JSON_TYPE, "content-length": "2" }, body: " ".repeat(40_000) },
      "413 body_too_large",
    ],
    ["an unannounced 40 kB", { headers: JSON_TYPE, body: streamOf(40 * 1024) }, "413 body_too_large"],
    ["broken", { headers: JSON_TYPE, body: "{" }, "400 bad_json"],
    [
      "17 deep",
      { headers: JSON_TYPE, body: `{"traits":${"[".repeat(17)}${"]".repeat(17)}}` },
      "400 bad_json",
    ],
    ["a prototype", { headers: JSON_TYPE, body: '{"__proto__":{"a":1}}' }, "400 bad_json"],
    ["UTF-16", { headers: JSON_TYPE, body: Buffer.from("{}", "utf16le") }, "400 bad_json"],
    ["a list", { headers: JSON_TYPE, body: "[]" }, "400 bad_request"],
    ["an unknown field", { headers: JSON_TYPE, body: '{"role":"agent"}' }, "400 bad_request"],
    ["a wrong type", { headers: JSON_TYPE, body: '{"locale":7}' }, "400 bad_request"],
  ])("%s is refused and nothing is called", async (_, init, problem) => {
    const { bff, service } = open();
    const answer = await bff.request("POST", "/api/session", init);
    expect(await problemOf(answer)).toBe(problem);
    expect(service.seen).toEqual([]);
  });

  it("a body of exactly 32 kB is read, announced or not", async () => {
    const { bff } = open();
    const body = `{${" ".repeat(MAX_BODY_BYTES - 2)}}`;
    expect((await bff.request("POST", "/api/session", { headers: JSON_TYPE, body })).status).toBe(201);
    const chunked = { headers: JSON_TYPE, body: new Blob([body]).stream() };
    expect((await bff.request("POST", "/api/session", chunked)).status).toBe(201);
  });

  it("a problem names the invalid fields and repeats no value", async () => {
    const { bff } = open();
    const body = JSON.stringify({ locale: "canary canary", "bad\nname": 1 });
    const answer = await bff.request("POST", "/api/session", { headers: JSON_TYPE, body });
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toMatch(/locale: .*bad\?name: is not known here/);
    expect(detail).not.toMatch(/canary|\n/);
  });
});

describe("SES2 tokens", () => {
  const ROUTES: [string, string][] = [
    ["POST", "/api/session"],
    ["DELETE", "/api/session"],
    ["POST", "/api/conversation"],
    ["POST", "/api/conversation/messages"],
    ["GET", "/api/conversation/events"],
    ["POST", "/api/conversation/handoff"],
    ["DELETE", "/api/conversation"],
  ];
  const WRONG = [
    "Bearer",
    "Bearer x",
    `Bearer ${"A".repeat(43)}`,
    `Basic ${"A".repeat(43)}`,
    "Bearer a b",
    `Bearer ${"é".repeat(3)}`,
  ];

  it.each(ROUTES)("%s %s answers 401 to every malformed token", async (method, path) => {
    const { bff, service } = open();
    const isOptional = method === "POST" && path === "/api/session";
    for (const authorization of [...(isOptional ? [] : [""]), ...WRONG]) {
      const body = method === "POST" ? { body: "{}" } : {};
      const answer = await bff.request(method, path, { ...body, headers: { ...JSON_TYPE, authorization } });
      expect(await problemOf(answer)).toBe("401 unauthenticated");
    }
    expect(service.seen).toEqual([]);
  });
});

describe("every answer", () => {
  it("has its headers, an id, and nothing internal", async () => {
    const { bff, service } = open();
    service.answer("identify", () => {
      throw new Error("canary-inside");
    });
    const failed = await bff.request("POST", "/api/session", START);
    const config = await bff.request("GET", "/api/config");
    for (const answer of [failed, config]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        vary: "Origin",
      });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(failed.headers.get("content-type")).toBe("application/problem+json");
    const problem = (await failed.json()) as { requestId: string };
    expect(failed.headers.get("x-request-id")).toBe(problem.requestId);
    expect(bff.lines.join("")).toContain(problem.requestId);
    expect([...bff.answered, ...bff.lines].join("")).not.toContain("canary");
  });

  it("an unexpected error is 500 without details, and its stack is logged", async () => {
    const service = createFakeService();
    const bff = createTestBff({
      service,
      random: () => {
        throw new TypeError("canary-random");
      },
    });
    const answer = await bff.request("POST", "/api/session", START);
    expect(await problemOf(answer)).toBe("500 internal");
    expect(bff.lines.join("")).toContain("TypeError");
    expect([...bff.answered, ...bff.lines].join("")).not.toContain("canary");
  });

  it("the log entry has the route's template and no query", async () => {
    const { bff } = open();
    await bff.request("GET", "/api/config?token=canary");
    const line = JSON.parse(bff.lines.at(-1) ?? "") as Record<string, unknown>;
    expect(line).toMatchObject({ method: "GET", route: "/api/config", status: 200 });
    expect(bff.lines.join("")).not.toContain("canary");
  });
});

describe("limits", () => {
  it("the 31st message in a minute is refused", async () => {
    const { bff } = open();
    const { token } = await bff.startConversation();
    const send = (n: number) =>
      bff.post("/api/conversation/messages", { clientMessageId: `k${n}`, body: "x" }, token);
    for (let n = 2; n <= 30; n += 1) expect((await send(n)).status).toBe(201);
    const refused = await send(31);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await problemOf(refused)).toBe("429 rate_limited");
  });

  it("the 31st session of one address in a minute is refused; another address may start one", async () => {
    const { bff } = open();
    const from = (remoteAddress: string) => ({ ...START, env: { incoming: { socket: { remoteAddress } } } });
    for (let n = 1; n <= 30; n += 1) {
      expect((await bff.request("POST", "/api/session", from("198.51.100.1"))).status).toBe(201);
    }
    expect((await bff.request("POST", "/api/session", from("::ffff:198.51.100.1"))).status).toBe(429);
    expect((await bff.request("POST", "/api/session", from("198.51.100.2"))).status).toBe(201);
  });
});
