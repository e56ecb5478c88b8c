import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenOnFreePort } from "../shared/testing/listen.ts";
import { newFolder, startBff } from "./testing/bff-process.ts";
import { freePort } from "./testing/free-port.ts";
import { createWatch, findLosses, openVisitors, sendSteadily } from "./testing/steady-visitors.ts";

const SESSIONS = 100;
const STREAMS_OF_A_SESSION = 5;
const SEND_EVERY_MS = 20;
/** The number of acknowledged messages before the process is stopped, and the minimum in total. */
const BEFORE = 100;
const IN_ALL = 400;
const EXIT_MS = 25_000;
const BACK_MS = 15_000;
const SPREAD_MS = 10_000;

const MANY = "100000";
const LIMITS = {
  LIMIT_SENDS_PER_SESSION: MANY,
  LIMIT_SENDS_PER_CUSTOMER: MANY,
  LIMIT_SENDS_PER_ADDRESS: MANY,
  LIMIT_ATTEMPTS_PER_ADDRESS: MANY,
  LIMIT_SESSIONS_PER_ADDRESS: MANY,
  LIMIT_SESSIONS_PER_NETWORK: MANY,
  LIMIT_CALLS_PER_SESSION: MANY,
  LIMIT_STREAMS_PER_SESSION: MANY,
  LIMIT_STREAMS_PER_ADDRESS: MANY,
};

function bucketsOf(delays: readonly number[]): number[] {
  const buckets = Map.groupBy(delays, (ms) => Math.floor(ms / 1000));
  return [...buckets.values()].map((delaysOfASecond) => delaysOfASecond.length);
}

describe("a restart under load", () => {
  test("OPS1 with 500 streams and 50 messages a second it exits in time, loses nothing, and every client reconnects", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const DATA_DIR = newFolder();
    const env = { PORT: String(port), DATA_DIR, ...LIMITS };
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const watch = createWatch();
    const first = startBff(env);
    await first.ready;

    const { signal } = stopping;
    const visitors = await openVisitors({
      url,
      sessions: SESSIONS,
      streamsEach: STREAMS_OF_A_SESSION,
      signal,
      onChange: watch.tell,
    });
    const streams = visitors.flatMap((visitor) => visitor.streams);
    const everybody = () => streams.every(({ isConnected }) => isConnected);
    const kept = () => visitors.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    await watch.until(everybody);
    const sending = sendSteadily({
      url,
      visitors,
      everyMs: SEND_EVERY_MS,
      signal,
      onAcknowledged: watch.tell,
    });
    const before = kept();
    await watch.until(() => kept() >= before + BEFORE);

    const told = performance.now();
    first.child.kill("SIGTERM");
    expect(await first.exit).toBe(0);
    expect(performance.now() - told).toBeLessThan(EXIT_MS);

    const second = startBff(env);
    await second.ready;
    const up = performance.now();
    await watch.until(() => everybody() && streams.every(({ connects }) => connects > 1));
    expect(performance.now() - up).toBeLessThan(BACK_MS);
    await watch.until(() => kept() >= IN_ALL);
    expect(await sending.stop()).toBe(kept() - before);

    expect(await findLosses(visitors, watch)).toEqual([]);
    const delays = streams.flatMap(({ drains }) => drains);
    expect(delays).toHaveLength(streams.length);
    expect(Math.max(...delays)).toBeLessThan(SPREAD_MS);
    expect(Math.max(...bucketsOf(delays))).toBeLessThan(streams.length / 5);

    stopping.abort();
    second.child.kill("SIGTERM");
    expect(await second.exit).toBe(0);
    const database = new DatabaseSync(join(DATA_DIR, "service.sqlite"), { readOnly: true });
    const stored = database.prepare("SELECT client_message_id AS key FROM message_keys").all();
    database.close();
    expect(stored.map(({ key }) => String(key)).toSorted()).toEqual(
      visitors.flatMap(({ acknowledged }) => acknowledged).toSorted(),
    );
  });

  test("OPS2 a second signal ends it at once, even during a request", async () => {
    const port = await freePort();
    const bff = startBff({ PORT: String(port), DATA_DIR: newFolder() });
    await bff.ready;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    // A request whose body never arrives: the first signal waits for it.
    socket.write(
      `POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
    );
    // "100 Continue" means that the server has the request.
    await once(socket, "data");
    bff.child.kill("SIGTERM");
    const isRefused = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        () => false,
        () => true,
      );
    while (!(await isRefused()));
    expect(bff.child.exitCode).toBe(null);
    // Within a second it counts as the first one, which npm passed on.
    const again = setInterval(() => bff.child.kill("SIGTERM"), 100);
    onTestFinished(() => clearInterval(again));
    expect(await bff.exit).toBe(1);
  });

  test("a server that is only closed waits for its streams forever (control)", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(":\n\n");
      server.on("say", () => response.write("data: still here\n\n"));
      server.on("end-it", () => response.end());
    });
    const { url } = await listenOnFreePort(server);
    const reader = (await fetch(url)).body?.getReader();
    await reader?.read();
    let isClosed = false;
    server.close(() => {
      isClosed = true;
    });
    for (let time = 0; time < 20; time += 1) {
      server.emit("say");
      expect((await reader?.read())?.done).toBe(false);
    }
    expect(isClosed).toBe(false);
    server.emit("end-it");
    await once(server, "close");
  });
});
