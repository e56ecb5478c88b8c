import { BENCH_ENV, type Door, newMessage, openDoor, p99, startCustomer } from "./customers.ts";
import { startProgram } from "./program.ts";

const LONG = 700;
const SENDS = 300;
const RESUMES_AT_ONCE = 8;

/** The 99th percentile of one customer's sends, in ms: without other load, and during another customer's resumes. */
export interface Beside {
  readonly quietMs: number;
  readonly besideMs: number;
}

/**
 * In the whole product in one process: another customer resumes a conversation of 700 messages, eight times
 * concurrently.
 */
export async function measureBesideResume(): Promise<Beside> {
  const product = await startProgram("bff/main.ts", { env: BENCH_ENV, path: "/readyz" });
  const door = openDoor(product.url, RESUMES_AT_ONCE + 4);
  try {
    const mine = await startCustomer(door);
    const long = await startCustomer(door);
    // A person was asked for, so no agent answers: only the one message is measured.
    for (const token of [mine, long]) await door.post("/api/conversation/handoff", {}, token);
    for (let count = 0; count < LONG; count += 1) {
      await door.post("/api/conversation/messages", newMessage(), long);
    }
    const quietMs = p99(await sendMany(door, mine));
    let isOver = false;
    const resume = async () => {
      while (!isOver) await door.post("/api/session", {}, long);
    };
    const others = Array.from({ length: RESUMES_AT_ONCE }, resume);
    const besideMs = p99(await sendMany(door, mine));
    isOver = true;
    await Promise.all(others);
    return { quietMs, besideMs };
  } finally {
    await door.close();
    await product.stop();
  }
}

async function sendMany(door: Door, token: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < SENDS; count += 1) {
    const began = performance.now();
    await door.post("/api/conversation/messages", newMessage(), token);
    times.push(performance.now() - began);
  }
  return times;
}
