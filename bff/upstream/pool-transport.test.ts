import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { startConversation } from "../../shared/v1/conversations.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import type { RequestContext } from "../request/request-context.ts";
import { createCallGuard } from "./call-guard.ts";
import { createUpstreamClient, type UpstreamClient } from "./client.ts";
import { createPoolTransport } from "./pool-transport.ts";
import type { Transport } from "./transport.ts";

const quiet = () => undefined;
const LOG: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const RIGHT = JSON.stringify({ message: { id: "m", seq: 1, clientMessageId: "k" } });

let server: Server | undefined;
let transport: Transport | undefined;
afterEach(async () => {
  await transport?.close();
  server?.closeAllConnections();
  server?.close();
});

async function open(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  { base = "", totalMs = 300, log = LOG } = {},
): Promise<UpstreamClient> {
  server = createServer(listener);
  const { url } = await listenOnFreePort(server);
  transport = createPoolTransport(url + base);
  const guard = createCallGuard({
    clock: systemClock,
    log: LOG,
    jitter: () => 0,
    schemes: {},
  });
  const contexts = new AsyncLocalStorage<RequestContext>();
  return createUpstreamClient({
    transport,
    authorize: () => ({}),
    clock: systemClock,
    log,
    guard,
    contexts,
    totalMs,
  });
}
const TURN = { clientMessageId: "k", content: { body: "x", format: "plain" as const } };
const turn = (upstream: UpstreamClient) => upstream.call(sendTurn, { params: { id: "c1" }, request: TURN });
const head = { "content-type": "application/json" };

describe("calls over a real connection", () => {
  it("a valid answer is accepted, below the base address's path", async () => {
    let path = "";
    const upstream = await open(
      (request, response) => {
        path = request.url ?? "";
        response.writeHead(201, head).end(RIGHT);
      },
      { base: "/tenant", totalMs: 5000 },
    );
    expect((await turn(upstream)).value.message.id).toBe("m");
    expect(path).toBe("/tenant/v1/support/conversations/c1/turns");
  });

  it("asks for an answer that is not compressed, and the log names one that is", async () => {
    const asked: unknown[] = [];
    const logged: object[] = [];
    const upstream = await open(
      ({ headers }, response) => {
        asked.push(headers["accept-encoding"]);
        response.writeHead(201, { ...head, "content-encoding": "gzip" }).end(gzipSync(RIGHT));
      },
      { totalMs: 5000, log: { ...LOG, warn: (fields) => void logged.push(fields) } },
    );
    await expect(turn(upstream)).rejects.toMatchObject({ code: "not_confirmed" });
    expect(asked).toEqual(["identity"]);
    expect(logged).toEqual([expect.objectContaining({ operation: "turns", why: "compressed" })]);
  });

  it.each(["identity", ""])("an answer whose content encoding is '%s' is accepted", async (encoding) => {
    const upstream = await open((_, response) => {
      response.writeHead(201, { ...head, "content-encoding": encoding }).end(RIGHT);
    });
    expect((await turn(upstream)).value.message.id).toBe("m");
  });

  it.each<[string, (r: ServerResponse) => void, string]>([
    ["nobody listens any more", (r) => r.destroy(), "support_unreachable"],
    ["no answer", () => undefined, "support_timeout"],
    ["a head without an end", (r) => void r.writeHead(200, head).write("{"), "support_timeout"],
    [
      "a body that is cut",
      (r) => r.writeHead(200, { ...head, "content-length": 500 }).write("{", () => r.destroy()),
      "not_confirmed",
    ],
    [
      "a body shorter than announced",
      (r) => r.writeHead(200, { ...head, "content-length": 500 }).end(RIGHT),
      "support_timeout",
    ],
    [
      "a body longer than announced",
      (r) => r.writeHead(200, { ...head, "content-length": 2 }).end(RIGHT),
      "not_confirmed",
    ],
    [
      "a compressed body",
      (r) => r.writeHead(200, { ...head, "content-encoding": "gzip" }).end("\u001f\u008b"),
      "not_confirmed",
    ],
    ["no HTTP", (r) => void r.socket?.end("hello\r\n\r\n"), "support_unreachable"],
  ])("%s", async (_, answer, code) => {
    const upstream = await open((request, response) => {
      request.resume();
      request.on("end", () => answer(response));
    });
    await expect(turn(upstream)).rejects.toMatchObject({ code });
  });

  it("a body that never ends is cut at 1 MB, and its connection with it", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    let sent = 0;
    let closed: Promise<unknown> | undefined;
    const upstream = await open(
      (_, response) => {
        closed = once(response, "close");
        response.writeHead(200, head);
        const write = () => {
          while (response.writable) {
            sent += chunk.length;
            if (!response.write(chunk)) break;
          }
        };
        response.on("drain", write);
        write();
      },
      { totalMs: 5000 },
    );
    await expect(turn(upstream)).rejects.toMatchObject({ code: "not_confirmed" });
    await closed;
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it.each([
    ["any number of files on slow connections leaves a connection free for messages", 400, false],
    ["the slow files of six addresses leave a connection free for the file of another", 240, true],
  ])("%s", async (_fact, count, isFile) => {
    const upstream = await open(
      (request, response) => {
        if (request.headers["content-length"] !== "1000") response.writeHead(201, head).end(RIGHT);
      },
      { totalMs: 4000 },
    );
    const leave = new AbortController();
    const left = once(leave.signal, "abort");
    async function* slow() {
      yield Buffer.from("%PDF-");
      await left;
    }
    async function* small() {
      yield Buffer.from("%PDF-");
    }
    const send = (length: number, body: AsyncIterable<Uint8Array>, signal: AbortSignal) =>
      transport?.call({
        method: "POST",
        path: "/v1/support/conversations/c1/attachments",
        headers: { "content-length": String(length) },
        body,
        signal,
      });
    const files = Array.from({ length: count }, async () =>
      send(1000, slow(), leave.signal)?.catch(() => undefined),
    );
    if (isFile) expect((await send(5, small(), AbortSignal.timeout(4000)))?.status).toBe(201);
    else expect((await turn(upstream)).value.message.id).toBe("m");
    leave.abort();
    await Promise.all(files);
  });

  it("GATE2 a redirect is never followed", async () => {
    const asked: (string | undefined)[] = [];
    const upstream = await open((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await expect(turn(upstream)).rejects.toMatchObject({ code: "not_confirmed" });
    expect(asked).toEqual(["/v1/support/conversations/c1/turns"]);
  });

  it("an id that is not safe in a path is not sent", async () => {
    let calls = 0;
    const upstream = await open(() => {
      calls += 1;
    });
    for (const id of ["../../admin", "%2e%2e%2f", "x?y=", "x#", "\u2025", "a/b", "..", "x".repeat(300), ""]) {
      const call = upstream.call(sendTurn, { params: { id }, request: TURN });
      await expect(call).rejects.toMatchObject({ code: "internal" });
    }
    expect(calls).toBe(0);
  });

  it("calls that were given up leave no connection open", async () => {
    const upstream = await open(() => undefined);
    const failed = await Promise.allSettled(
      Array.from({ length: 50 }, () => upstream.call(startConversation, { request: {} })),
    );
    expect(failed.every(({ status }) => status === "rejected")).toBe(true);
    await expect
      .poll(() => new Promise((resolve) => server?.getConnections((_, count) => resolve(count))))
      .toBe(0);
  });
});

describe("event streams over a real connection", () => {
  it("outlive the time limit of calls, and end when they are closed", async () => {
    let closed: Promise<unknown> | undefined;
    let go: (() => void) | undefined;
    const upstream = await open(
      (_, response) => {
        closed = once(response, "close");
        response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
        go = () => void response.write("data: 1\n\n");
      },
      { totalMs: 500 },
    );
    const stream = await upstream.open(
      streamEvents,
      { params: { id: "c1" }, after: 3 },
      new AbortController().signal,
    );
    const chunks = stream.body[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe(":\n\n");
    await new Promise<void>((resolve) => void systemClock.after(600, resolve));
    go?.();
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe("data: 1\n\n");
    stream.discard();
    await expect(chunks.next()).rejects.toThrow();
    await closed;
  });

  const opened = (upstream: UpstreamClient, { signal } = new AbortController()) =>
    upstream.open(streamEvents, { params: { id: "c1" } }, signal);
  const EVENTS = { "content-type": "text/event-stream" };

  it("give each chunk as it arrives, until the end", async () => {
    const upstream = await open((_, response) => {
      response.writeHead(200, EVENTS).write("a", () => response.end("b"));
    });
    let text = "";
    await (await opened(upstream)).each((chunk) => {
      text += Buffer.from(chunk).toString();
    });
    expect(text).toBe("ab");
  });

  it.each<[string, (response: ServerResponse) => void, () => void]>([
    ["the connection breaks", (response) => response.destroy(), () => undefined],
    [
      "the reader throws",
      () => undefined,
      () => {
        throw new Error("unreadable");
      },
    ],
  ])("reject when %s, and the connection is closed", async (_, then, take) => {
    let closed: Promise<unknown> | undefined;
    const upstream = await open((_, response) => {
      closed = once(response, "close");
      response.writeHead(200, EVENTS).write("a", () => then(response));
    });
    await expect((await opened(upstream)).each(take)).rejects.toThrow();
    await closed;
  });

  it("one that is given up before anybody read it is broken for whoever reads it then", async () => {
    const upstream = await open((_, response) => void response.writeHead(200, EVENTS).write("a"));
    const leave = new AbortController();
    const stream = await opened(upstream, leave);
    const chunks = stream.body[Symbol.asyncIterator]();
    leave.abort();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(chunks.next()).rejects.toThrow();
    await expect(stream.each(() => undefined)).rejects.toThrow();
  });

  it("a slow reader of the body stops its sender", async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const most = 64 * 1024 * 1024;
    let sent = 0;
    const upstream = await open((_, response) => {
      const write = () => {
        while (sent < most) {
          sent += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.writeHead(200, EVENTS).on("drain", write);
      write();
    });
    const stream = await opened(upstream);
    await stream.body[Symbol.asyncIterator]().next();
    for (let before = 0; before < sent; ) {
      before = sent;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(most);
    stream.discard();
  });

  it("one without response headers is given up", async () => {
    const upstream = await open(() => undefined, { totalMs: 50 });
    const opened = upstream.open(streamEvents, { params: { id: "c1" } }, new AbortController().signal);
    await expect(opened).rejects.toMatchObject({
      code: "support_timeout",
    });
  });
});
