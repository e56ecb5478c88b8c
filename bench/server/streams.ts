import { openDoor, openStream, startCustomers, WIDE_LIMITS } from "./customers.ts";
import { type Program, startProgram } from "./program.ts";

const STREAMS = 2000;
/** Two heartbeats of each stream. */
const IDLE_MS = 30_000;
const SETTLE_MS = 2000;

/** What open, idle event streams cost. */
export interface StreamCost {
  readonly bytesEach: number;
  /** The share of one core that 10,000 streams would take, extrapolated from these. */
  readonly coreShareOf10k: number;
}

/** Only the BFF; the service is another process. */
export async function measureStreamsAlone(): Promise<StreamCost> {
  const upstream = await startProgram("bench/server/upstream-main.ts");
  const bff = await startProgram("bff/main.ts", {
    env: { ...WIDE_LIMITS, BASE_URL: upstream.url, APPLICATION_CREDENTIAL: "bench" },
    path: "/livez",
  });
  try {
    return await measure(bff);
  } finally {
    await Promise.all([bff.stop(), upstream.stop()]);
  }
}

/** The whole product in one process. */
export async function measureStreamsEmbedded(): Promise<StreamCost> {
  const product = await startProgram("bff/main.ts", { env: WIDE_LIMITS, path: "/readyz" });
  try {
    return await measure(product);
  } finally {
    await product.stop();
  }
}

async function measure(program: Program): Promise<StreamCost> {
  const door = openDoor(program.url, 16);
  const tokens = await startCustomers(door, STREAMS);
  await pause(SETTLE_MS);
  const before = program.memoryBytes();
  const streams = openDoor(program.url, STREAMS + 16);
  const open = (token: string) => openStream(streams, program.url, token);
  for (let from = 0; from < tokens.length; from += 50)
    await Promise.all(tokens.slice(from, from + 50).map(open));
  await pause(SETTLE_MS);
  const bytesEach = (program.memoryBytes() - before) / STREAMS;
  const cpu = program.cpuMs();
  await pause(IDLE_MS);
  const share = (program.cpuMs() - cpu) / IDLE_MS;
  await Promise.all([streams.close(), door.close()]);
  return { bytesEach, coreShareOf10k: (share * 10_000) / STREAMS };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
