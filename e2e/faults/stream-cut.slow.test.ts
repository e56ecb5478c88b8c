import { connect } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCustomer } from "./customer.ts";
import { followAsPanel } from "./follow.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import { createSeededRandom } from "./random.ts";
import { startWorld, type World } from "./world.ts";

const EVENTS = 40;
const READERS = 4;
/** Ends a test that hangs. Some 12,000 cuts take three minutes on two idle cores, and far longer beside other tests. */
const PATIENCE_MS = 1_800_000;

interface Followed {
  readonly token: string;
  readonly epoch: string;
  readonly lastSeq: number;
}

let world: World;
let followed: Followed;
let bytes = 0;

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

/** Follows the log from its start; the first connection ends after `cut` bytes. Returns each seq as it was delivered. */
function follow(proxy: FaultProxy, agent: Agent, cut: number): Promise<number[]> {
  const { token, epoch, lastSeq } = followed;
  proxy.set("down", { type: "limit_data", bytes: cut });
  return followAsPanel({
    epoch,
    lastSeq,
    connect: async (lastEventId, signal) => {
      const headers: Record<string, string> = {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
      };
      if (lastEventId) headers["last-event-id"] = lastEventId;
      const url = `${proxy.url}/api/conversation/events`;
      return (await undiciFetch(url, { headers, signal, dispatcher: agent })) as unknown as Response;
    },
    // The first connection is down: the next one is complete.
    onWaiting: () => proxy.set("down", undefined),
  });
}

/** How many bytes, including headers, the stream has up to the end of its last event. */
async function measure(): Promise<number> {
  const socket = connect(world.bff.port, "127.0.0.1");
  socket.write(
    `GET /api/conversation/events HTTP/1.1\r\nhost: bff\r\nauthorization: Bearer ${followed.token}\r\naccept: text/event-stream\r\n\r\n`,
  );
  let text = "";
  for await (const piece of socket.setEncoding("latin1")) {
    text += String(piece);
    if (
      /\n\n/.test(text.slice(text.indexOf(`id: ${followed.epoch}:${followed.lastSeq}\n`) + 1 || text.length))
    )
      break;
  }
  socket.destroy();
  return text.length;
}

beforeAll(async () => {
  world = await startWorld(createSeededRandom("stream-cut"));
  followed = await converse();
  bytes = await measure();
}, PATIENCE_MS);
afterAll(() => world.dispose());

describe("a stream that is cut", () => {
  test(
    "after any byte of forty events: every event once, in order",
    async () => {
      const whole = Array.from({ length: followed.lastSeq }, (_, at) => at + 1);
      const wrong: string[] = [];
      let next = 0;
      const read = async () => {
        const proxy = await startProxy(
          () => world.bff.port,
          () => 0.5,
        );
        const agent = new Agent({ pipelining: 0, bodyTimeout: 0 });
        for (let cut = next++; cut <= bytes; cut = next++) {
          const seen = await follow(proxy, agent, cut);
          if (seen.join() !== whole.join()) wrong.push(`${cut}: ${seen.join()}`);
        }
        await agent.destroy();
        await proxy.close();
      };
      await Promise.all(Array.from({ length: READERS }, read));
      expect(followed.lastSeq).toBeGreaterThanOrEqual(EVENTS);
      expect(bytes).toBeGreaterThan(EVENTS * 100);
      expect(wrong).toEqual([]);
    },
    PATIENCE_MS,
  );
});
