import { connect } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCustomer } from "./customer.ts";
import { followAsPanel } from "./follow.ts";
import { startProxy } from "./proxy.ts";
import { createSeededRandom } from "./random.ts";
import { startWorld, type World } from "./world.ts";

const EVENTS = 40;
const READERS = 4;
/** How many events before and after the cut a reader of recorded answers gets. */
const AROUND = 2;
/** Some characters of several bytes, and one that JSON escapes. */
const MARK = 'é"日😀';
/** Ends a test that hangs. */
const PATIENCE_MS = 1_800_000;

interface Followed {
  readonly token: string;
  readonly epoch: string;
  readonly lastSeq: number;
}

let world: World;
let followed: Followed;
/** The BFF's answer as it is sent. */
let sent: string;
/** The body of the BFF's answer for a reader that has the events up to each seq. */
const bodies: Buffer[] = [];

/** Waits until the condition is true; the suite's own timeout ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A conversation with at least forty events, and the token of its customer. */
async function converse(): Promise<Followed> {
  const kept = new Map<string, string>();
  const visit = () =>
    createCustomer({
      name: "ann",
      url: world.front.proxy.url,
      random: createSeededRandom("ann"),
      mark: () => MARK,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    });
  const customer = visit();
  const log = () => customer.chat.conversation.log.value;
  customer.chat.open();
  customer.write();
  await until(() => log().conversation !== null);
  await customer.chat.conversation.requestHuman();
  await until(() => log().conversation?.handoff?.status === "requested");
  // A person has it, so no agent writes meanwhile and the log has an end.
  await world.desk.take(log().conversation?.id ?? "");
  for (let at = log().lastSeq; at < EVENTS; at += 1) {
    await until(() => !customer.chat.outbox.isFull.value);
    customer.write();
  }
  await until(() => log().pending.length === 0 && log().lastSeq >= EVENTS);
  await customer.leave();
  // The epoch of a conversation that was never read is replaced at the first reading.
  const reloaded = visit();
  reloaded.chat.open();
  await until(() => reloaded.chat.conversation.log.value.lastSeq >= log().lastSeq);
  await reloaded.leave();
  const { conversation, lastSeq } = reloaded.chat.conversation.log.value;
  return {
    token: [...kept.values()].find((value) => /^[\w-]{43}$/.test(value)) ?? "",
    epoch: conversation?.epoch ?? "",
    lastSeq,
  };
}

/** Follows the log from its start at `url`. Returns each seq as it was delivered. */
function follow(url: string, agent: Agent, onWaiting: () => void): Promise<number[]> {
  const { token, epoch, lastSeq } = followed;
  return followAsPanel({
    epoch,
    lastSeq,
    connect: async (lastEventId, signal) => {
      const headers: Record<string, string> = {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
      };
      if (lastEventId) headers["last-event-id"] = lastEventId;
      const address = `${url}/api/conversation/events`;
      return (await undiciFetch(address, { headers, signal, dispatcher: agent })) as unknown as Response;
    },
    onWaiting,
  });
}

/** The position in an answer at which an event ends; -1 if it does not have it. */
function endOf(answer: string, seq: number): number {
  const at = answer.indexOf(`id: ${followed.epoch}:${seq}\n`);
  const end = at < 0 ? -1 : answer.indexOf("\n\n", at);
  return end < 0 ? -1 : end + 2;
}

/**
 * The BFF's answer to a reader that has the events up to `seq`, to the end of the last event, one character for each
 * byte. In HTTP/1.0 its body is not sent in chunks.
 */
async function record(seq: number, version: "1.0" | "1.1"): Promise<string> {
  const { token, epoch, lastSeq } = followed;
  const socket = connect(world.bff.port, "127.0.0.1");
  const position = seq > 0 ? `last-event-id: ${epoch}:${seq}\r\n` : "";
  socket.write(
    `GET /api/conversation/events HTTP/${version}\r\nhost: bff\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n${position}\r\n`,
  );
  let text = "";
  for await (const piece of socket.setEncoding("latin1")) {
    text += String(piece);
    if (endOf(text, lastSeq) > 0) break;
  }
  socket.destroy();
  const end = endOf(text, lastSeq);
  if (end < 0) throw new Error(`After event ${seq} the BFF answered: ${text}`);
  return text.slice(0, end);
}

/** Each seq after `from`, up to `to`. */
const seqs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at + 1);

/** An open stream of these bytes, or one that breaks after them. */
function streamOf(bytes: Uint8Array, breaks: boolean): Response {
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (!isSent) controller.enqueue(new Uint8Array(bytes));
      else if (breaks) controller.error(new Error("The connection was cut."));
      isSent = true;
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/**
 * Reads the recorded answers, the first one cut after byte `cut` of the log. The reader has all but the last events
 * before the cut, and leaves soon after it. Returns the cut if an event was lost or doubled.
 */
async function readRecorded(recorded: readonly Buffer[], ends: readonly number[], cut: number) {
  const complete = ends.findLastIndex((end) => end <= cut);
  const from = Math.max(0, complete - AROUND);
  const lastSeq = Math.min(followed.lastSeq, complete + AROUND);
  let isCut = false;
  const seen = await followAsPanel({
    epoch: followed.epoch,
    from,
    lastSeq,
    connect: async (lastEventId) => {
      const seq = Number(lastEventId?.split(":")[1] ?? 0);
      const end = (isCut ? (ends[lastSeq] ?? 0) : cut) - (ends[seq] ?? 0);
      const response = streamOf(recorded[seq]?.subarray(0, end) ?? Buffer.alloc(0), !isCut);
      isCut = true;
      return response;
    },
  });
  return seen.join() === seqs(from, lastSeq).join() ? [] : [`${cut}: ${seen.join()}`];
}

/** Where each event of the recorded log ends; the first is the start. */
const endsOfLog = () => {
  const log = bodies[0]?.toString("latin1") ?? "";
  return [0, ...seqs(0, followed.lastSeq).map((seq) => endOf(log, seq))];
};

/** Returns the cuts of the running product after which an event was lost or doubled. */
async function readLive(cuts: readonly number[]): Promise<string[]> {
  const whole = seqs(0, followed.lastSeq).join();
  const wrong: string[] = [];
  const left = [...cuts];
  const work = async () => {
    const proxy = await startProxy(
      () => world.bff.port,
      () => 0.5,
    );
    const agent = new Agent({ pipelining: 0, bodyTimeout: 0 });
    for (let cut = left.shift(); cut !== undefined; cut = left.shift()) {
      proxy.set("down", { type: "limit_data", bytes: cut });
      // The first connection is down: the next one is complete.
      const seen = (await follow(proxy.url, agent, () => proxy.set("down", undefined))).join();
      if (seen !== whole) wrong.push(`${cut}: ${seen}`);
    }
    await agent.destroy();
    await proxy.close();
  };
  await Promise.all(Array.from({ length: READERS }, work));
  return wrong;
}

beforeAll(async () => {
  world = await startWorld(createSeededRandom("stream-cut"));
  followed = await converse();
  sent = await record(0, "1.1");
  for (let seq = 0; seq < followed.lastSeq; seq += 1) {
    const answer = await record(seq, "1.0");
    bodies.push(Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1"));
  }
}, PATIENCE_MS);
afterAll(() => world.dispose());

describe("a stream that is cut", () => {
  test(
    "after any byte of forty events: every event once, in order",
    async () => {
      const ends = endsOfLog();
      const bytes = ends.at(-1) ?? 0;
      expect(followed.lastSeq).toBeGreaterThanOrEqual(EVENTS);
      expect(bytes).toBeGreaterThan(EVENTS * 100);
      expect(bodies[0]?.toString()).toContain(JSON.stringify(MARK).slice(1, -1));
      const wrong: string[] = [];
      for (let cut = 0; cut <= bytes; cut += 1) wrong.push(...(await readRecorded(bodies, ends, cut)));
      expect(wrong).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "at the running product, in its head and around the end of each event: every event once, in order",
    async () => {
      const head = sent.indexOf("\r\n\r\n");
      const ends = seqs(0, followed.lastSeq).map((seq) => endOf(sent, seq));
      const cuts = [0, 1, head, head + 4, ...ends.flatMap((end) => [end - 1, end, end + 1])];
      expect(cuts.length).toBeGreaterThan(3 * EVENTS);
      expect(await readLive(cuts)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "an answer that begins an event too late is detected (control)",
    async () => {
      const late = bodies.map((body, seq) => (seq > 0 ? (bodies[seq + 1] ?? Buffer.alloc(0)) : body));
      const ends = endsOfLog();
      for (const seq of [1, 20]) expect(await readRecorded(late, ends, ends[seq] ?? 0)).toHaveLength(1);
    },
    PATIENCE_MS,
  );
});
