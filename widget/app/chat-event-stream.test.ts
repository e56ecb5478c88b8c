// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../../shared/event.ts";
import { DEAD_LINE_MS } from "../../shared/limits.ts";
import { createChatEventStream } from "./chat-event-stream.ts";
import { createManualTime, settle } from "./testing/manual-time.ts";
import { AT, agentMessage, EPOCH, problem } from "./testing/scripted-bff.ts";

const SSE = { headers: { "content-type": "text/event-stream; charset=utf-8" } };

const entry = (seq: number, body = `text ${seq}`) =>
  `id: ${EPOCH}:${seq}\ndata: ${JSON.stringify({ type: "message.created", seq, at: AT, message: agentMessage(seq, body) })}\n\n`;

type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Response | Promise<Response>;

function startStream(connect: Connect, random = 0.5) {
  const time = createManualTime();
  const seen: ChatEvent[] = [];
  const asked: (string | undefined)[] = [];
  const told: string[] = [];
  const stream = createChatEventStream(
    {
      now: time.now,
      random: () => random,
      setTimer: time.setTimer,
      connect: async (lastEventId, signal) => {
        asked.push(lastEventId);
        return connect(lastEventId, signal);
      },
    },
    {
      onEvent: (event) => seen.push(event),
      onStatus: (status) => told.push(status),
      onReset: () => told.push("reset"),
      onRefused: (status) => told.push(`refused ${status}`),
    },
  );
  const seqs = () => seen.map((event) => ("seq" in event ? event.seq : 0));
  return { time, seen, asked, told, stream, seqs };
}

/** A body that yields `bytes` and then ends, breaks or stays open. */
function body(bytes: Uint8Array | string, then: "end" | "break" | "stay" = "end"): Response {
  const chunk = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(chunk);
      if (then === "end") controller.close();
    },
    pull(controller) {
      if (then === "break") controller.error(new TypeError("network error"));
    },
  });
  return new Response(source, SSE);
}

describe("resume", () => {
  const COUNT = 16;
  // Every eighth contains multi-byte characters, so that cuts fall inside one; the others are as short as an entry can
  // be.
  const brief = (seq: number) =>
    `id: ${EPOCH}:${seq}\ndata: ${JSON.stringify({ type: "conversation.started", seq, at: AT })}\n\n`;
  const entries = Array.from({ length: COUNT }, (_, index) =>
    index % 8 === 0 ? entry(index + 1, "Grüße 🌲") : brief(index + 1),
  );
  const behind = (seq: number) => new TextEncoder().encode(entries.slice(seq).join(""));
  const whole = behind(0);
  const all = Array.from({ length: COUNT }, (_, index) => index + 1);

  const seenWithCut = async (cut: number) => {
    let attempt = 0;
    const { stream, time, seqs } = startStream((lastEventId) => {
      attempt += 1;
      if (attempt === 1) return body(whole.slice(0, cut), "break");
      return body(behind(Number(lastEventId?.split(":")[1] ?? 0)), "stay");
    });
    stream.start({ epoch: EPOCH, seq: 0 });
    await time.advance(1_000);
    stream.stop();
    return { cut, seqs: seqs().join() };
  };

  it("cut after every byte: each event once, in order, none missing", async () => {
    const cuts = Array.from({ length: whole.length - 1 }, (_, index) => index + 1);
    for (let from = 0; from < cuts.length; from += 500) {
      const seen = await Promise.all(cuts.slice(from, from + 500).map(seenWithCut));
      expect(seen.filter(({ seqs }) => seqs !== all.join())).toEqual([]);
    }
  }, 60_000);

  it("requests what follows the snapshot, and the whole log without a snapshot", async () => {
    const { stream, asked } = startStream(() => body("", "stay"));
    stream.start({ epoch: EPOCH, seq: 7 });
    await settle();
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    expect(asked).toEqual(["e1:7", undefined]);
  });

  it("line ends inside a text create no event", async () => {
    const text = "\n\nevent: reset\ndata: {}\r\r\u2028";
    const { stream, seen, told } = startStream(() => body(entry(1, text), "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    expect(seen).toMatchObject([{ message: { body: text } }]);
    expect(told).toEqual(["connecting", "live"]);
  });
});

describe("reconnect", () => {
  it("waits longer each time, with full jitter, up to 30 s", async () => {
    const { stream, time } = startStream(() => problem("support_unreachable"), 1);
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const delay = time.waiting()[0] ?? 0;
      delays.push(delay);
      await time.advance(delay);
    }
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it("Retry-After is the minimum of every delay", async () => {
    const { stream, time } = startStream(() => problem("unavailable", 7), 0);
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    expect(time.waiting()).toEqual([7_000]);
  });

  it("a stream that ends at once causes no hot loop; one with an entry restarts with the short delay", async () => {
    const { stream, time } = startStream(() => body(": hello\n\n"), 1);
    stream.start({ epoch: EPOCH, seq: 0 });
    await time.advance(500);
    expect(time.waiting()).toEqual([1_000]);
    const good = startStream(() => body(entry(1)), 1);
    good.stream.start({ epoch: EPOCH, seq: 0 });
    await good.time.advance(500);
    expect(good.time.waiting()).toEqual([500]);
  });

  for (const [name, answer] of Object.entries({
    HTML: () => new Response("<p>", { headers: { "content-type": "text/html" } }),
    204: () => new Response(null, { status: 204 }),
    "500": () => problem("internal"),
    "a network error": () => Promise.reject(new TypeError("Failed to fetch")),
  })) {
    it(`${name} is a lost connection, not a live one`, async () => {
      const { stream, told, time } = startStream(answer);
      stream.start({ epoch: EPOCH, seq: 0 });
      await settle();
      expect(told).toEqual(["connecting", "waiting"]);
      expect(time.waiting()).toHaveLength(1);
    });
  }

  for (const status of [401, 403, 404, 409]) {
    it(`${status} stops it`, async () => {
      const { stream, told, time } = startStream(() => new Response("", { status }));
      stream.start({ epoch: EPOCH, seq: 0 });
      await settle();
      expect(told).toEqual(["connecting", "idle", `refused ${status}`]);
      expect(time.waiting()).toEqual([]);
    });
  }
});

describe("the BFF's own events on the stream", () => {
  it("MSG5 reset stops it and requests a new start; later events are ignored", async () => {
    const reset = `data: ${JSON.stringify({ type: "reset", reason: "epoch" })}\n\n`;
    const { stream, told, seqs, time } = startStream(() => body(entry(1) + reset + entry(2), "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    expect(told).toEqual(["connecting", "live", "idle", "reset"]);
    expect(seqs()).toEqual([1]);
    expect(time.waiting()).toEqual([]);
  });

  it("drain: disconnects, and reconnects after the given delay", async () => {
    const drain = `data: ${JSON.stringify({ type: "drain", delayMs: 4_200 })}\n\n`;
    const { stream, asked, time } = startStream(() => body(entry(1) + drain, "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    expect(time.waiting()).toEqual([4_200]);
    await time.advance(4_200);
    expect(asked).toEqual([undefined, "e1:1"]);
  });
});

describe("a dead connection", () => {
  it("is detected after 45 s of silence, and closed", async () => {
    const { stream, told, time } = startStream(() => body(entry(1), "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await time.advance(DEAD_LINE_MS - 1);
    expect(told.at(-1)).toBe("live");
    await time.advance(1);
    expect(told.at(-1)).toBe("waiting");
  });

  it("is also given up if it never answers", async () => {
    const { stream, told, time } = startStream(() => new Promise(() => undefined));
    stream.start({ epoch: EPOCH, seq: 0 });
    await time.advance(DEAD_LINE_MS);
    expect(told).toEqual(["connecting", "waiting"]);
  });

  it("a heartbeat keeps it alive", async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const source = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    const { stream, told, time } = startStream(() => new Response(source, SSE));
    stream.start({ epoch: EPOCH, seq: 0 });
    for (let beat = 0; beat < 5; beat += 1) {
      await time.advance(30_000);
      controller?.enqueue(new TextEncoder().encode(": \n\n"));
    }
    await settle();
    expect(told).toEqual(["connecting", "live"]);
  });

  it("waking after a long silence reconnects at once, after a short one it does not", async () => {
    const { stream, asked, time } = startStream(() => body(entry(1), "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await time.advance(10_000);
    stream.wake();
    await settle();
    expect(asked).toHaveLength(1);
    await time.advance(20_000);
    stream.wake();
    await settle();
    expect(asked).toEqual([undefined, "e1:1"]);
  });

  it("a stopped stream is not woken", async () => {
    const { stream, asked, time } = startStream(() => body(entry(1), "stay"));
    stream.start({ epoch: EPOCH, seq: 0 });
    await settle();
    stream.stop();
    stream.wake();
    await time.advance(60_000);
    expect(asked).toHaveLength(1);
    expect(time.waiting()).toEqual([]);
  });
});
