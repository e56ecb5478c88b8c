import * as z from "zod/mini";
import { BENCH_ENV, openDoor } from "./customers.ts";
import { type Program, startProgram } from "./program.ts";

const HOUR_MS = 3_600_000;
/** An anonymous session ends after a day without use. */
const HOURS = 26;
/** The first visitor pays for everything that all share: compiled code, prepared statements, the store's page cache. */
const FIRST = 500;
const AT_ONCE = 16;
/** A slow machine measures fewer visitors instead of running for an hour. */
const MOST_MS = 5 * 60_000;

const Memory = z.object({ heapUsed: z.number(), rss: z.number() });
/** In bytes, after a full collection. */
type Memory = z.infer<typeof Memory>;

export interface Visitors {
  readonly count: number;
  readonly before: Memory;
  readonly peak: Memory;
  readonly after: Memory;
  /** When as many visitors have come again. */
  readonly again: Memory;
}

/**
 * Memory of the whole product in one process: before `count` anonymous visitors open the panel, when all have, after
 * their sessions expired, and when as many have come again. The process's clock moves ahead by the hour, so that
 * everything that is due runs.
 */
export async function measureVisitors(count: number): Promise<Visitors> {
  const product = await startProgram("bench/server/clocked-main.ts", {
    env: BENCH_ENV,
    path: "/readyz",
    flags: ["--expose-gc"],
  });
  const door = openDoor(product.url, AT_ONCE);
  const open = async (most: number) => {
    const end = Date.now() + MOST_MS;
    let opened = 0;
    const openOne = async () => {
      while (opened < most && Date.now() < end) {
        opened += 1;
        await door.post("/api/session", {});
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openOne));
    return opened;
  };
  try {
    await open(FIRST);
    const before = await memoryAfter(product, 0);
    const opened = await open(count);
    const peak = await memoryAfter(product, 0);
    for (let hour = 1; hour < HOURS; hour += 1) await memoryAfter(product, HOUR_MS);
    const after = await memoryAfter(product, HOUR_MS);
    await open(opened);
    return { count: opened, before, peak, after, again: await memoryAfter(product, 0) };
  } finally {
    await door.close();
    await product.stop();
  }
}

/** The memory of a `clocked-main.ts` whose clock moved ahead by `ms`, after a full collection. */
export async function memoryAfter(product: Program, ms: number): Promise<Memory> {
  return Memory.parse(await product.ask(ms));
}
