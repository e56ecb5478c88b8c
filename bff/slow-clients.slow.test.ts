import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeService } from "../service/testing/fake/fake-service.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { freePort } from "./testing/free-port.ts";
import { createTestBff } from "./testing/test-bff.ts";

const SLOTS = 500;

let listening: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.stop();
  listening = undefined;
});

async function open(maxPerAddress?: number) {
  const port = await freePort();
  const { bff } = createTestBff({ service: createFakeService(), env: { PORT: String(port) } });
  listening = await listen({ app: bff.app, host: "127.0.0.1", port, clock: systemClock, maxPerAddress });
  return port;
}

/** Opens a connection that sends `first` and then one byte a second; returns how long it stayed open, in ms. */
async function crawl(port: number, first: string): Promise<{ closed: Promise<number> }> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined).resume();
  // Not by `once`, which would throw on a reset.
  const ended = new Promise<void>((resolve) => void socket.once("close", resolve));
  await once(socket, "connect");
  const startedAt = Date.now();
  socket.write(first);
  const timer = setInterval(() => socket.write("a"), 1000);
  return {
    closed: ended.then(() => {
      clearInterval(timer);
      return Date.now() - startedAt;
    }),
  };
}

const HEAD = "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
const BODY = "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";

describe("slow clients", () => {
  it("500 of them delay nobody, and are disconnected after 15 s", async () => {
    const port = await open();
    const heads = await Promise.all(Array.from({ length: SLOTS }, () => crawl(port, HEAD)));
    const times: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      const startedAt = performance.now();
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    expect(times.toSorted((a, b) => a - b)[98]).toBeLessThan(300);
    const lives = await Promise.all(heads.map(({ closed }) => closed));
    expect(Math.max(...lives)).toBeLessThan(15_500);
    // The time limit closed them, and nothing earlier.
    expect(Math.min(...lives)).toBeGreaterThan(5000);
  });

  it("a body of one byte a second is closed after 15 s", async () => {
    const port = await open();
    const origin = `Origin: http://127.0.0.1:${port}\r\nContent-Length: 1000\r\n\r\n`;
    const { closed } = await crawl(port, BODY + origin);
    expect(await closed).toBeLessThan(15_500);
  });

  it("connections of one address beyond its limit are closed at once, and a closed one frees its place", async () => {
    const port = await open(10);
    const first = await Promise.all(Array.from({ length: 10 }, () => crawl(port, HEAD)));
    expect(await (await crawl(port, HEAD)).closed).toBeLessThan(2000);
    sockets[0]?.destroy();
    await first[0]?.closed;
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/livez`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
  });
});
