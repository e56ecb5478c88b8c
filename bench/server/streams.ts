import { BENCH_ENV, openDoor, openStream, startCustomers } from "./customers.ts";
import { type Program, startProgram } from "./program.ts";
import { memoryAfter } from "./visitors.ts";

/** As many are open before: they pay for what all share, above all V8's young generation, which grows once. */
const STREAMS = 2000;
/** Two heartbeats of each stream. */
const IDLE_MS = 30_000;
const SETTLE_MS = 2000;

/** What one open stream takes, after a full collection. */
export interface StreamBytes {
  readonly resident: number;
  readonly objects: number;
}

export interface StreamCost extends StreamBytes {
  /** The share of one core that 10,000 idle streams would take, extrapolated from these. */
  readonly coreShareOf10k: number;
}

/** Only the BFF; the service is another process. */
export async function measureStreamsAlone(): Promise<StreamBytes> {
  const upstream = await startProgram("bench/server/upstream-main.ts");
  try {
    const env = { ...BENCH_ENV, BASE_URL: upstream.url, APPLICATION_CREDENTIAL: "bench" };
    return await withStreams(env, (_, bytes) => Promise.resolve(bytes));
  } finally {
    await upstream.stop();
  }
}

/** The whole product in one process. */
export function measureStreamsEmbedded(): Promise<StreamCost> {
  return withStreams(BENCH_ENV, async (product, bytes) => {
    const cpu = product.cpuMs();
    await pause(IDLE_MS);
    const share = (product.cpuMs() - cpu) / IDLE_MS;
    return { ...bytes, coreShareOf10k: (share * 10_000) / (2 * STREAMS) };
  });
}

/** Opens twice `STREAMS` and runs `then` while they are open and idle. */
async function withStreams<T>(
  env: Readonly<Record<string, string>>,
  then: (program: Program, bytes: StreamBytes) => Promise<T>,
): Promise<T> {
  const program = await startProgram("bench/server/clocked-main.ts", {
    env,
    path: "/livez",
    flags: ["--expose-gc"],
  });
  const door = openDoor(program.url, 16);
  const streams = openDoor(program.url, 2 * STREAMS + 16);
  const settled = async () => {
    // The process first finishes work that is due: it stores the last use of each session once.
    await memoryAfter(program, 0);
    await pause(SETTLE_MS);
    return memoryAfter(program, 0);
  };
  try {
    const tokens = await startCustomers(door, 2 * STREAMS);
    const open = async (some: readonly string[]) => {
      for (let from = 0; from < some.length; from += 50)
        await Promise.all(
          some.slice(from, from + 50).map((token) => openStream(streams, program.url, token)),
        );
    };
    await open(tokens.slice(0, STREAMS));
    const before = await settled();
    await open(tokens.slice(STREAMS));
    const after = await settled();
    await pause(SETTLE_MS);
    return await then(program, {
      resident: (after.rss - before.rss) / STREAMS,
      objects: (after.heapUsed - before.heapUsed) / STREAMS,
    });
  } finally {
    await Promise.all([streams.close(), door.close()]);
    await program.stop();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
