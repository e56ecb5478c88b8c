import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCustomer } from "./customer.ts";
import { followAsPanel } from "./follow.ts";
import { startProxy } from "./proxy.ts";
import { createSeededRandom } from "./random.ts";
import { startWorld, type World } from "./world.ts";

const EVENTS = 40;
const READERS = 4;
/** Ends a test that hangs. */
const PATIENCE_MS = 1_800_000;

interface Followed {
  readonly token: string;
  readonly epoch: string;
  readonly lastSeq: number;
}

let world: World;
let followed: Followed;
/** The BFF's bytes for a reader that has the events up to each seq. */
const answers = new Map<number, Buffer>();

/** Waits until the condition is true; the suite's own timeout ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A conversation with at least forty events, and the token of its customer. */
async function converse(): Promise<Followed> {
  const kept = new Map<string, string>();
  const customer = createCustomer({
    name: "ann",
    url: world.front.proxy.url,
    random: createSeededRandom("ann"),
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
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
  return {
    token: [...kept.values()].find((value) => /^[\w-]{43}$/.test(value)) ?? "",
    epoch: log().conversation?.epoch ?? "",
    lastSeq: log().lastSeq,
  };
}

/** Follows the log from its start at `url`. Returns each seq as it was delivered. */
function follow(url: string, agent: Agent, onWaiting?: () => void): Promise<number[]> {
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
    ...(onWaiting && { onWaiting }),
  });
}

/** The positions in an answer at which an event ends. */
function endOf(answer: string, seq: number): number {
  const at = answer.indexOf(`id: ${followed.epoch}:${seq}\n`);
  const end = at < 0 ? -1 : answer.indexOf("\n\n", at);
  return end < 0 ? -1 : end + 2;
}

/** The bytes of the BFF's answer to a reader that has the events up to `seq`, to the end of the last event. */
async function record(seq: number): Promise<Buffer> {
  const { token, epoch, lastSeq } = followed;
  const socket = connect(world.bff.port, "127.0.0.1");
  const position = seq > 0 ? `last-event-id: ${epoch}:${seq}\r\n` : "";
  socket.write(
    `GET /api/conversation/events HTTP/1.1\r\nhost: bff\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n${position}\r\n`,
  );
  let text = "";
  for await (const piece of socket.setEncoding("latin1")) {
    text += String(piece);
    if (endOf(text, lastSeq) > 0) break;
  }
  socket.destroy();
  return Buffer.from(text.slice(0, endOf(text, lastSeq)), "latin1");
}

/** A server that sends the recorded answers. The next answer after `cutNext` ends after that many bytes. */
async function startReplay(recorded: ReadonlyMap<number, Buffer>) {
  let cut: number | undefined;
  const server = createServer((socket) => {
    let head = "";
    socket.setEncoding("latin1");
    // A reader that has everything leaves in the middle of an answer.
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece: string) => {
      head += piece;
      if (!head.includes("\r\n\r\n")) return;
      const answer = recorded.get(Number(/^last-event-id: .*:(\d+)\r$/im.exec(head)?.[1] ?? 0));
      if (cut === undefined) socket.write(answer ?? "");
      else socket.end(answer?.subarray(0, cut) ?? "");
      cut = undefined;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cutNext(bytes: number): void {
      cut = bytes;
    },
    close: () => server.close(),
  };
}

interface Path {
  /** Follows the log; the first connection ends after `cut` bytes. */
  readonly read: (agent: Agent, cut: number) => Promise<number[]>;
  readonly close: () => unknown;
}

/** Reads the log once for each cut, on several paths at once. Returns the cuts after which an event was lost or doubled. */
async function readWithCuts(cuts: readonly number[], open: () => Promise<Path>): Promise<string[]> {
  const whole = Array.from({ length: followed.lastSeq }, (_, at) => at + 1).join();
  const wrong: string[] = [];
  const left = [...cuts];
  const work = async () => {
    const path = await open();
    const agent = new Agent({ pipelining: 0, bodyTimeout: 0 });
    for (let cut = left.shift(); cut !== undefined; cut = left.shift()) {
      const seen = (await path.read(agent, cut)).join();
      if (seen !== whole) wrong.push(`${cut}: ${seen}`);
    }
    await agent.destroy();
    await path.close();
  };
  await Promise.all(Array.from({ length: READERS }, work));
  return wrong;
}

/** From the product's own answers, as it sent them. */
const recordedPath = (recorded: ReadonlyMap<number, Buffer>) => async (): Promise<Path> => {
  const replay = await startReplay(recorded);
  return {
    read: (agent, cut) => {
      replay.cutNext(cut);
      return follow(replay.url, agent);
    },
    close: replay.close,
  };
};

/** From the running product, through a proxy. */
async function livePath(): Promise<Path> {
  const proxy = await startProxy(
    () => world.bff.port,
    () => 0.5,
  );
  return {
    read: (agent, cut) => {
      proxy.set("down", { type: "limit_data", bytes: cut });
      // The first connection is down: the next one is complete.
      return follow(proxy.url, agent, () => proxy.set("down", undefined));
    },
    close: proxy.close,
  };
}

beforeAll(async () => {
  world = await startWorld(createSeededRandom("stream-cut"));
  followed = await converse();
  for (let seq = 0; seq < followed.lastSeq; seq += 1) answers.set(seq, await record(seq));
}, PATIENCE_MS);
afterAll(() => world.dispose());

describe("a stream that is cut", () => {
  test(
    "after any byte of forty events: every event once, in order",
    async () => {
      const bytes = answers.get(0)?.length ?? 0;
      const cuts = Array.from({ length: bytes + 1 }, (_, cut) => cut);
      expect(followed.lastSeq).toBeGreaterThanOrEqual(EVENTS);
      expect(bytes).toBeGreaterThan(EVENTS * 100);
      expect(await readWithCuts(cuts, recordedPath(answers))).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "at the running product, in its head and around the end of each event: every event once, in order",
    async () => {
      const text = answers.get(0)?.toString("latin1") ?? "";
      const head = text.indexOf("\r\n\r\n");
      const ends = Array.from({ length: followed.lastSeq }, (_, at) => endOf(text, at + 1));
      const cuts = [0, 1, head, head + 4, ...ends.flatMap((end) => [end - 1, end, end + 1])];
      expect(cuts.length).toBeGreaterThan(3 * EVENTS);
      expect(await readWithCuts(cuts, livePath)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "an answer that begins an event too late is detected (control)",
    async () => {
      const late = new Map(answers);
      for (const seq of late.keys()) if (seq > 0) late.set(seq, answers.get(seq + 1) ?? Buffer.alloc(0));
      const text = answers.get(0)?.toString("latin1") ?? "";
      expect(await readWithCuts([endOf(text, 3), endOf(text, 20)], recordedPath(late))).toHaveLength(2);
    },
    PATIENCE_MS,
  );
});
