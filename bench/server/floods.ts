import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Door, newMessage, openDoor, p99, startCustomer } from "./customers.ts";
import type { FloodName } from "./flood-worker.ts";
import { type Program, startProgram, waitedMs } from "./program.ts";

/** Each customer sends fewer messages than the default limit of a session allows in a minute. */
const CUSTOMERS = 12;
const EACH = 25;
const CONNECTIONS = 4;
/** Quiet and flooded in turn: the medians forget a moment in which the machine was busy with something else. */
const ROUNDS = 5;

const FLOODS: readonly FloodName[] = ["messages", "hand-offs", "files", "erasures", "readiness"];

export interface Flood {
  readonly name: FloodName;
  /**
   * The 99th percentile of the customers' sends, in ms: without the flood, and during it; medians of all rounds. Without
   * the time in which the server, or this process, was ready to run and other programs had the processors.
   */
  readonly quietMs: number;
  readonly besideMs: number;
  /** How many requests of a round's flood were answered by 2xx, and how many by anything else; medians. */
  readonly taken: number;
  readonly refused: number;
  /** Processor time during the flood, in shares of a core: the server's, and the flood's own. */
  readonly serverShare: number;
  readonly share: number;
}

/**
 * Customers send to the whole product in one process, with its default limits, while one address floods it from a thread
 * of its own. Each flood has its own process and data folder.
 */
export async function measureFloods(): Promise<readonly Flood[]> {
  const floods: Flood[] = [];
  for (const name of FLOODS) floods.push(await measureFlood(name));
  return floods;
}

async function measureFlood(name: FloodName): Promise<Flood> {
  const product = await startProgram("bff/main.ts", { env: { TRUSTED_PROXIES: "1" }, path: "/readyz" });
  const door = openDoor(product.url, CONNECTIONS);
  const rounds: Flood[] = [];
  try {
    await sendAll(door, product);
    for (let round = 1; round <= ROUNDS; round += 1) {
      rounds.push(await measureRound(name, `203.0.113.${round}`, product, door));
    }
  } finally {
    await door.close();
    await product.stop();
  }
  const median = (of: (round: Flood) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  return {
    name,
    quietMs: median(({ quietMs }) => quietMs),
    besideMs: median(({ besideMs }) => besideMs),
    taken: median(({ taken }) => taken),
    refused: median(({ refused }) => refused),
    serverShare: median(({ serverShare }) => serverShare),
    share: median(({ share }) => share),
  };
}

/** Each round floods from another address, whose limits are not used up. */
async function measureRound(name: FloodName, address: string, product: Program, door: Door): Promise<Flood> {
  const quietMs = p99(await sendAll(door, product));
  const customers = await startAll(door);
  const worker = new Worker(new URL("./flood-worker.ts", import.meta.url), {
    workerData: { name, url: product.url, address },
  });
  try {
    await once(worker, "message");
    const [cpuBefore, began] = [product.cpuMs(), performance.now()];
    const besideMs = p99(await sendEach(door, product, customers));
    const serverShare = (product.cpuMs() - cpuBefore) / (performance.now() - began);
    worker.postMessage("stop");
    const [counts] = (await once(worker, "message")) as [Pick<Flood, "taken" | "refused" | "share">];
    return { name, quietMs, besideMs, serverShare, ...counts };
  } finally {
    await worker.terminate();
  }
}

const sendAll = async (door: Door, product: Program) => sendEach(door, product, await startAll(door));

/** Customers who wait for a person, so that no agent answers: only their own message is measured. */
function startAll(door: Door): Promise<string[]> {
  return Promise.all(
    Array.from({ length: CUSTOMERS }, async () => {
      const token = await startCustomer(door);
      await door.post("/api/conversation/handoff", {}, token);
      return token;
    }),
  );
}

async function sendEach(door: Door, product: Program, tokens: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < EACH; count += 1) {
    for (const token of tokens) {
      const before = { server: product.waitedMs(), own: waitedMs("self") };
      const began = performance.now();
      await door.post("/api/conversation/messages", newMessage(), token);
      const ms = performance.now() - began;
      // The longer one only: both may have waited at the same time.
      const waited = Math.max(product.waitedMs() - before.server, waitedMs("self") - before.own);
      times.push(Math.max(0, ms - waited));
    }
  }
  return times;
}
