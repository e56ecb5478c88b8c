import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeService, type FakeService } from "../service/testing/fake/fake-service.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { freePort } from "./testing/free-port.ts";
import { sendRaw, statusesOf } from "./testing/raw-socket.ts";
import { createTestBff, type TestBff } from "./testing/test-bff.ts";

let port: number;
let service: FakeService;
let test: TestBff;
let listening: Listening;
beforeAll(async () => {
  service = createFakeService();
  port = await freePort();
  // The limits are wide, because these tests are about the form of requests.
  const wide = "1000";
  const env = {
    PORT: String(port),
    LIMIT_ATTEMPTS_PER_ADDRESS: wide,
    LIMIT_SESSIONS_PER_ADDRESS: wide,
    LIMIT_SESSIONS_PER_NETWORK: wide,
  };
  test = createTestBff({ service, env });
  listening = await listen({ app: test.bff.app, host: "127.0.0.1", port, clock: systemClock });
});
afterAll(() => listening.stop());

interface Raw {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Replaces the `Host` header; empty removes it. */
  readonly host?: string;
  readonly origin?: string;
  readonly lines?: string;
  readonly body?: string;
}

/** A request that starts a session, with one change. */
function requestOf({ method = "POST", target = "/api/session", version = "HTTP/1.1", ...more }: Raw): string {
  const { host = `Host: 127.0.0.1:${port}`, origin = `Origin: http://127.0.0.1:${port}`, body = "{}" } = more;
  const lines = more.lines ?? `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  const head = [`${method} ${target} ${version}`, host, origin, "Connection: close", lines];
  return `${head.filter(Boolean).join("\r\n")}\r\n\r\n${body}`;
}

/** Sends it; returns the statuses and the number of calls to the service that it caused. */
async function send(
  raw: Raw | string,
): Promise<{ statuses: readonly number[]; calls: number; text: string }> {
  const before = service.seen.length;
  const text = await sendRaw(port, typeof raw === "string" ? raw : requestOf(raw));
  return { statuses: statusesOf(text), calls: service.seen.length - before, text };
}

const TARGETS = [
  "//api/session",
  "///api/session",
  "/./api/session",
  "/x/../api/session",
  "/api/./session",
  "/api//session",
  "/api/x/../session",
  "/api/session/",
  "/api/session//",
  "/api/session/.",
  "/api/session/..",
  "/api/session;a=b",
  "/api/session%00",
  "/api/session%0d%0ax:y",
  "/api/session%20",
  "/api/%73ession",
  "/api/session%2f",
  "/api%2fsession",
  "/%61pi/session",
  "/%2e%2e/api/session",
  "/api/..%2fapi/session",
  "/api\\session",
  "\\api\\session",
  "/API/session",
  "/Api/Session",
  "/api/session?x=1",
  "/api/session?x=%00",
  "/api/session?",
  "/api/session#x",
  "/api/session%ff%fe",
  "/api/session%",
  "/api/session%zz",
  `/api/session?${"a".repeat(4000)}`,
  "http://127.0.0.1/api/session",
  "http://evil.example/api/session",
  "http://user:pass@127.0.0.1/api/session",
  "https://evil.example:1/api/session",
  "file:///api/session",
  "*",
  "api/session",
  "",
];

describe("no way around the gate", () => {
  it.each(TARGETS)("%s: without an allowed origin no handler runs", async (target) => {
    for (const origin of ["", "Origin: https://evil.example", "Origin: null"]) {
      const { statuses, calls, text } = await send({ target, origin });
      expect(calls).toBe(0);
      expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
      expect(text).not.toMatch(/\n {4}at |node_modules|\.ts:\d/);
    }
  });

  it("the same request with an allowed origin runs one (control)", async () => {
    const { statuses, calls } = await send({});
    expect(statuses).toEqual([201]);
    expect(calls).toBeGreaterThan(0);
  });

  it.each(["HEAD", "TRACE", "OPTIONS", "PUT", "PATCH", "PROPFIND", "CONNECT", "get", "POST2", "SOURCE"])(
    "%s runs no handler",
    async (method) => {
      const { statuses, calls } = await send({ method });
      expect(calls).toBe(0);
      expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    },
  );

  it.each(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])(
    "%s changes no method",
    async (header) => {
      const { statuses, calls } = await send({
        method: "PUT",
        lines: `${header}: POST\r\nContent-Length: 2`,
      });
      expect(statuses).toEqual([405]);
      expect(calls).toBe(0);
    },
  );

  it.each(["X-Forwarded-Host: evil.example", "X-Original-URL: /api/config", "X-Rewrite-URL: /api/config"])(
    "%s changes no address",
    async (header) => {
      const { statuses, text } = await send({
        method: "DELETE",
        lines: `${header}\r\nContent-Length: 0`,
        body: "",
      });
      expect(statuses).toEqual([401]);
      expect(text).not.toContain("evil");
    },
  );
});

const JSON_LINE = "Content-Type: application/json";
const CHUNKED = `${JSON_LINE}\r\nTransfer-Encoding: chunked`;

describe("malformed requests", () => {
  it.each<[string, Raw]>([
    ["two lengths", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\nContent-Length: 3` }],
    ["one length twice in a line", { lines: `${JSON_LINE}\r\nContent-Length: 2, 2` }],
    ["a negative length", { lines: `${JSON_LINE}\r\nContent-Length: -2` }],
    ["a length with a sign", { lines: `${JSON_LINE}\r\nContent-Length: +2` }],
    ["a length in hexadecimal", { lines: `${JSON_LINE}\r\nContent-Length: 0x2` }],
    ["a length that is a word", { lines: `${JSON_LINE}\r\nContent-Length: two` }],
    ["a length without a value", { lines: `${JSON_LINE}\r\nContent-Length:` }],
    ["a length beyond all numbers", { lines: `${JSON_LINE}\r\nContent-Length: 99999999999999999999999` }],
    ["a length and chunks", { lines: `${CHUNKED}\r\nContent-Length: 2`, body: "2\r\n{}\r\n0\r\n\r\n" }],
    ["chunks and a length", { lines: `Content-Length: 2\r\n${CHUNKED}`, body: "2\r\n{}\r\n0\r\n\r\n" }],
    ["chunks by another name", { lines: `${JSON_LINE}\r\nTransfer-Encoding: xchunked` }],
    ["chunks that are not last", { lines: `${JSON_LINE}\r\nTransfer-Encoding: chunked, gzip` }],
    ["chunks twice", { lines: `${JSON_LINE}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity` }],
    ["a chunk's size that is none", { lines: CHUNKED, body: "zz\r\n{}\r\n0\r\n\r\n" }],
    ["a chunk's size with a sign", { lines: CHUNKED, body: "-2\r\n{}\r\n0\r\n\r\n" }],
    ["a chunk longer than its size", { lines: CHUNKED, body: "1\r\n{}\r\n0\r\n\r\n" }],
    ["a chunk's size beyond all numbers", { lines: CHUNKED, body: `${"f".repeat(20)}\r\n{}\r\n0\r\n\r\n` }],
    ["chunks ended by LF alone", { lines: CHUNKED, body: "2\n{}\n0\n\n" }],
    ["a folded header", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\nX-A: 1\r\n 2` }],
    ["a space before the colon", { lines: `${JSON_LINE}\r\nContent-Length : 2` }],
    ["a header without a name", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\n: x` }],
    ["a header without a colon", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\nX-A` }],
    ["a zero byte in a header", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\nX-A: a\u0000b` }],
    ["a bare CR in a header", { lines: `${JSON_LINE}\r\nContent-Length: 2\r\nX-A: a\rb` }],
    ["no host", { host: "" }],
    ["two hosts", { host: `Host: 127.0.0.1:${1}\r\nHost: evil.example` }],
    ["HTTP/1.2", { version: "HTTP/1.2" }],
    ["HTTP/3.0", { version: "HTTP/3.0" }],
    ["HTTP/9", { version: "HTTP/9" }],
    ["no version", { version: "" }],
    ["a space in the target", { target: "/api/ses sion" }],
    ["a tab in the target", { target: "/api/\tsession" }],
    ["a zero byte in the target", { target: "/api/session\u0000" }],
    ["a method of none", { method: "" }],
    ["a method with a space before it", { method: " POST" }],
    ["gzip", { lines: `${JSON_LINE}\r\nContent-Encoding: gzip\r\nContent-Length: 2` }],
    ["two encodings", { lines: `${JSON_LINE}\r\nContent-Encoding: identity, br\r\nContent-Length: 2` }],
    ["no media type", { lines: "Content-Length: 2" }],
    ["a form", { lines: "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2" }],
    ["a byte order mark", { body: "\u00ef\u00bb\u00bf{}" }],
    ["trailing data", { body: "{}{}" }],
    ["a key twice", { body: '{"locale":"de","locale":"en"}' }],
    ["a number beyond all", { body: '{"traits":{"a":1e999}}' }],
    ["a number that is not safe", { body: '{"traits":{"a":9007199254740993}}' }],
    ["a lone surrogate", { body: '{"locale":"\\ud800"}' }],
    ["5,000 deep", { body: `${"[".repeat(5000)}${"]".repeat(5000)}` }],
    ["201 keys", { body: `{${Array.from({ length: 201 }, (_, n) => `"k${n}":1`).join(",")}}` }],
    ["headers of 20 kB", { lines: `X-A: ${"a".repeat(20_000)}\r\nContent-Length: 2` }],
    ["TLS where none is spoken", { method: "\u0016\u0003\u0001\u0002\u0000", target: "x" }],
    ["HTTP/2 where none is spoken", { method: "PRI", target: "*", version: "HTTP/2.0" }],
  ])("%s is refused, nothing is called, and the next customer is served", async (_, raw) => {
    const { statuses, calls } = await send(raw);
    expect(calls).toBe(0);
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect((await send({ method: "GET", target: "/livez", lines: "", body: "" })).statuses).toEqual([200]);
  });

  it("the rest of a refused body is not read as the next request", async () => {
    const inner = requestOf({});
    const outer = requestOf({
      lines: `Content-Type: text/plain\r\nContent-Length: ${inner.length}`,
      body: inner,
    });
    const { statuses, calls } = await send(outer.replace("Connection: close\r\n", ""));
    expect(statuses).toEqual([415]);
    expect(calls).toBe(0);
  });

  it("nothing of it is repeated in the answer or the log", async () => {
    const { text } = await send({
      target: "/api/session?canary-query",
      lines: "X-A: canary-header\r\nContent-Type: canary/type\r\nContent-Length: 16",
      body: '{"canary-body":1}',
    });
    expect(text + test.lines.join("")).not.toContain("canary");
  });
});
