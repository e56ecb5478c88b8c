import { describe, expect, it } from "vitest";
import type { DeskEvent } from "../../shared/desk.ts";
import { type Connection, createDeskStream } from "./desk-stream.ts";
import { createTimers, settled, until } from "./testing/desk-kit.ts";
import { rowOf, waiting } from "./testing/samples.ts";

const event: DeskEvent = { type: "queue.changed", conversation: rowOf(waiting()) };
const wire = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

function setUp(random = 1) {
  const timers = createTimers();
  const states: Connection[] = [];
  const events: DeskEvent[] = [];
  const lines: ReadableStreamDefaultController<Uint8Array>[] = [];
  const refusals: (Response | Error)[] = [];
  const signals: AbortSignal[] = [];
  let tries = 0;
  let signedOut = 0;
  let heard = 0;
  const stream = createDeskStream({
    connect(signal) {
      tries += 1;
      signals.push(signal);
      const refusal = refusals.shift();
      if (refusal instanceof Error) return Promise.reject(refusal);
      if (refusal) return Promise.resolve(refusal);
      const body = new ReadableStream<Uint8Array>({
        start(line) {
          lines.push(line);
          signal.addEventListener("abort", () => {
            try {
              line.error(new Error("aborted"));
            } catch {
              // The test closed it already.
            }
          });
        },
      });
      return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    },
    setTimer: timers.setTimer,
    now: timers.now,
    random: () => random,
    onEvent: (each) => events.push(each),
    onConnection: (state) => states.push(state),
    onHeard: () => {
      heard += 1;
    },
    onSignedOut: () => {
      signedOut += 1;
    },
  });
  const send = (text: string) => lines.at(-1)?.enqueue(new TextEncoder().encode(text));
  return {
    stream,
    timers,
    states,
    events,
    lines,
    refusals,
    signals,
    send,
    tries: () => tries,
    signedOut: () => signedOut,
    heard: () => heard,
    live: () => until(() => states.at(-1) === "live", "the line is live"),
    waits: () => until(() => states.at(-1) === "waiting", "the line is broken"),
  };
}

describe("reading", () => {
  it("returns events however the bytes are split, and skips unknown ones", async () => {
    const { stream, live, send, events } = setUp();
    stream.start();
    await live();
    const text = `: \n\n${wire(event)}${wire({ type: "unknown.kind" })}data: no json\n\n${wire(event)}`;
    for (const character of text) send(character);
    await until(() => events.length === 2);
    await settled();
    expect(events).toEqual([event, event]);
  });

  it("a heartbeat is heard, though it is no event", async () => {
    const { stream, live, send, events, heard } = setUp();
    stream.start();
    await live();
    expect(heard()).toBe(0);
    send(": \n\n");
    await until(() => heard() === 1);
    expect(events).toEqual([]);
  });

  it("a stop ends it for good, and later events are ignored", async () => {
    const { stream, live, timers, signals, tries } = setUp();
    stream.start();
    await live();
    stream.stop();
    timers.advance(3_600_000);
    await settled();
    expect(tries()).toBe(1);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("reconnecting", () => {
  it("a refusal with Retry-After is not retried sooner", async () => {
    const { stream, waits, timers, refusals, tries, live } = setUp();
    refusals.push(new Response("", { status: 503, headers: { "retry-after": "7" } }));
    stream.start();
    await waits();
    timers.advance(6999);
    await settled();
    expect(tries()).toBe(1);
    timers.advance(501);
    await live();
    expect(tries()).toBe(2);
  });

  it("an hour without a service makes no hot loop: an attempt every 15 s on average", async () => {
    const { stream, timers, refusals, tries, states } = setUp(0.5);
    for (let count = 0; count < 500; count += 1) refusals.push(new TypeError("Failed to fetch"));
    stream.start();
    for (let second = 0; second < 3600; second += 1) {
      timers.advance(1000);
      // The refusal is delivered in a promise.
      await Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => Promise.resolve());
    }
    expect(tries()).toBeGreaterThan(200);
    expect(tries()).toBeLessThanOrEqual(250);
    expect(states).not.toContain("live");
  });

  it("a connection that ends or breaks is opened again", async () => {
    const { stream, live, waits, lines, timers, tries } = setUp();
    stream.start();
    await live();
    lines[0]?.close();
    await waits();
    timers.advance(500);
    await live();
    lines[1]?.error(new Error("reset"));
    await waits();
    expect(tries()).toBe(2);
  });

  it("45 s of silence mean a dead connection; a heartbeat keeps it alive", async () => {
    const { stream, live, waits, timers, send, states } = setUp();
    stream.start();
    await live();
    timers.advance(44_000);
    send(": \n\n");
    await settled();
    timers.advance(44_000);
    await settled();
    expect(states.at(-1)).toBe("live");
    timers.advance(1000);
    await waits();
  });

  it("an answer that is not an event stream is never live", async () => {
    const { stream, waits, refusals, states } = setUp();
    refusals.push(Response.json({}));
    stream.start();
    await waits();
    expect(states).toEqual(["connecting", "waiting"]);
  });

  it("401 ends it and reports it; 403 and 404 end it", async () => {
    for (const [status, times] of [
      [401, 1],
      [403, 0],
      [404, 0],
    ] as const) {
      const { stream, timers, refusals, states, tries, signedOut } = setUp();
      refusals.push(new Response("", { status }));
      stream.start();
      await until(() => states.at(-1) === "stopped");
      timers.advance(3_600_000);
      await settled();
      expect([tries(), signedOut()]).toEqual([1, times]);
    }
  });

  it("reconnects at once when the network is back, and when a connection fell silent while the page was hidden", async () => {
    const { stream, live, waits, timers, refusals, tries } = setUp();
    refusals.push(new Response("", { status: 503, headers: { "retry-after": "60" } }));
    stream.start();
    await waits();
    stream.wake();
    timers.advance(1000);
    await live();
    stream.wake();
    timers.advance(2000);
    await settled();
    expect(tries()).toBe(2);
    timers.advance(21_000);
    stream.wake();
    timers.advance(1000);
    await until(() => tries() === 3);
  });
});
