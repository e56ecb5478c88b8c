import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeService } from "../service/testing/fake/fake-service.ts";
import { MAX_BODY_BYTES } from "../shared/limits.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { listenOnFreePort } from "../shared/testing/listen.ts";
import { messageEvent, withEventLines } from "./testing/event-lines.ts";
import { freePort } from "./testing/free-port.ts";
import { sendRaw } from "./testing/raw-socket.ts";
import { createTestBff, ORIGIN, readBlocks } from "./testing/test-bff.ts";

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.stop();
  listening = undefined;
});
async function open() {
  const service = createFakeService();
  const lines = withEventLines(service);
  const port = await freePort();
  const test = createTestBff({ service, env: { PORT: String(port), ALLOWED_ORIGINS: ORIGIN } });
  listening = await listen({ app: test.bff.app, host: "127.0.0.1", port, clock: systemClock });
  return { port, service, test, lines };
}

const post = (port: number, more: string, body = "") =>
  `POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\n` +
  `Content-Type: application/json\r\n${more}\r\n${body}`;

describe("listening", () => {
  it("answers over a real connection", async () => {
    const { port } = await open();
    const answer = await sendRaw(port, post(port, "Connection: close\r\nContent-Length: 2\r\n", "{}"));
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it("over https every answer tells browsers to stay there, and over http none does", async () => {
    for (const isHttps of [true, false]) {
      const port = await freePort();
      const { bff } = createTestBff({ service: createFakeService(), env: { PORT: String(port) } });
      const server = await listen({ app: bff.app, host: "127.0.0.1", port, clock: systemClock, isHttps });
      for (const path of ["/widget.js", "/api/config", "/api/nothing", "/desk", "/livez", "/metrics"]) {
        const answer = await fetch(server.url + path);
        await answer.body?.cancel();
        const header = answer.headers.get("strict-transport-security");
        expect(header).toBe(isHttps ? "max-age=31536000" : null);
      }
      await server.stop();
    }
  });

  it("a taken port is one sentence that says what to do", async () => {
    const { port, close } = await listenOnFreePort(createServer());
    const { bff } = createTestBff({ service: createFakeService() });
    await expect(listen({ app: bff.app, host: "127.0.0.1", port, clock: systemClock })).rejects.toThrow(
      new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken\\. Stop what uses it, or set PORT`),
    );
    await close();
  });
});

describe("bodies on the wire", () => {
  it("a body that announces too much is refused unread, and the connection is closed", async () => {
    const { port, service } = await open();
    const answer = await sendRaw(port, post(port, `Content-Length: ${MAX_BODY_BYTES + 1}\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*body_too_large/);
    expect(service.seen).toEqual([]);
  });

  it("a chunked body is refused at the limit, and the connection is closed", async () => {
    const { port, service } = await open();
    const chunk = `1000\r\n${" ".repeat(0x1000)}\r\n`;
    const answer = await sendRaw(
      port,
      post(port, "Transfer-Encoding: chunked\r\n"),
      ...Array<string>(12).fill(chunk),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*body_too_large/);
    expect(service.seen).toEqual([]);
  });

  it.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n"],
    ["length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"],
    ["a folded header", "X-A: 1\r\n 2\r\n"],
    ["a space before the colon", "X-A : 1\r\n"],
  ])("%s: 400, and no handler runs", async (_, headers) => {
    const { port, service } = await open();
    expect(await sendRaw(port, post(port, headers, "{}"))).toMatch(/^HTTP\/1\.1 400 /);
    expect(service.seen).toEqual([]);
  });

  it("headers of 20 kB: 431", async () => {
    const { port } = await open();
    expect(await sendRaw(port, post(port, `X-A: ${"a".repeat(20_000)}\r\n`))).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("a client that reads", () => {
  it("gets a log of 2 MB from a service in this process, which has all of it at once", async () => {
    const { port, test, lines } = await open();
    const { token } = await test.startConversation();
    const answer = await fetch(`http://127.0.0.1:${port}/api/conversation/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    for (let seq = 1; seq <= 100; seq += 1) lines[0]?.send(messageEvent(seq, "x".repeat(20_000)));
    expect(await readBlocks(answer, 100)).toHaveLength(100);
    await answer.body?.cancel();
  });
});

describe("stopping", () => {
  it("asks open streams to reconnect, ends them, and closes", async () => {
    const { port, test } = await open();
    const { token } = await test.startConversation();
    const streams = await Promise.all(
      Array.from({ length: 5 }, () =>
        fetch(`http://127.0.0.1:${port}/api/conversation/events`, {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    );
    test.bff.drain();
    await listening?.stop();
    listening = undefined;
    for (const stream of streams) expect(await stream.text()).toContain('"type":"drain"');
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
  });

  it("a server that is closed without draining waits for its streams (control)", async () => {
    const { port, test } = await open();
    const { token } = await test.startConversation();
    const stream = await fetch(`http://127.0.0.1:${port}/api/conversation/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const order: string[] = [];
    const closed = listening?.stop().then(() => order.push("closed"));
    listening = undefined;
    const isRefused = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        () => false,
        () => true,
      );
    while (!(await isRefused()));
    order.push("takes nothing new");
    test.bff.drain();
    await closed;
    expect(order).toEqual(["takes nothing new", "closed"]);
    expect(await stream.text()).toContain('"type":"drain"');
  });
});
