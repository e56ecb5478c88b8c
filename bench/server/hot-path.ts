import { BENCH_ENV, newMessage, openDoor, p99, startCustomers } from "./customers.ts";
import { type Program, startProgram } from "./program.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
/** After so many messages V8 compiles hardly anything any more; the kernel counts its compiling threads too. */
const WARM_UP_MESSAGES = 50_000;

/** The cost of one message. */
export interface HotPath {
  readonly perSecond: number;
  /** Processor time of the server, in microseconds. */
  readonly cpuUs: number;
  readonly p99Ms: number;
}

/**
 * One message through the BFF with everything enabled (gate, session, limits, verify, log) and through bare Hono and
 * undici to the same upstream, alternating, `seconds` per round. Medians of three rounds, once both are warm.
 */
export async function measureHotPath(
  seconds: number,
): Promise<{ readonly bff: HotPath; readonly bare: HotPath }> {
  const upstream = await startProgram("bench/server/upstream-main.ts");
  const bare = await startProgram("bench/server/bare-main.ts", { env: { BASE_URL: upstream.url } });
  const bff = await startProgram("bff/main.ts", {
    env: { ...BENCH_ENV, BASE_URL: upstream.url, APPLICATION_CREDENTIAL: "bench" },
    path: "/livez",
  });
  try {
    const door = openDoor(bff.url, CONNECTIONS);
    const tokens = await startCustomers(door, CONNECTIONS);
    await door.close();
    for (const program of [bare, bff]) await run(program, tokens, (sent) => sent < WARM_UP_MESSAGES);
    const rounds: { bff: HotPath; bare: HotPath }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        bare: await runFor(seconds, bare, tokens),
        bff: await runFor(seconds, bff, tokens),
      });
    }
    return {
      bff: medianOf(rounds.map((round) => round.bff)),
      bare: medianOf(rounds.map((round) => round.bare)),
    };
  } finally {
    await Promise.all([bff.stop(), bare.stop(), upstream.stop()]);
  }
}

function runFor(seconds: number, program: Program, tokens: readonly string[]): Promise<HotPath> {
  const end = performance.now() + seconds * 1000;
  return run(program, tokens, () => performance.now() < end);
}

async function run(
  program: Program,
  tokens: readonly string[],
  goesOn: (sent: number) => boolean,
): Promise<HotPath> {
  const door = openDoor(program.url, CONNECTIONS);
  const times: number[] = [];
  const cpuBefore = program.cpuMs();
  const startedAt = performance.now();
  await Promise.all(
    tokens.map(async (token) => {
      while (goesOn(times.length)) {
        const began = performance.now();
        await door.post("/api/conversation/messages", newMessage(), token);
        times.push(performance.now() - began);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuUs = ((program.cpuMs() - cpuBefore) * 1000) / times.length;
  await door.close();
  return { perSecond: times.length / seconds, cpuUs, p99Ms: p99(times) };
}

function medianOf(rounds: readonly HotPath[]): HotPath {
  const median = (key: keyof HotPath) =>
    rounds.map((round) => round[key]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return { perSecond: median("perSecond"), cpuUs: median("cpuUs"), p99Ms: median("p99Ms") };
}
