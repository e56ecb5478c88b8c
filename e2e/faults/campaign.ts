import type { Findings } from "./check.ts";
import type { Kind } from "./kind.ts";
import { createSeededRandom } from "./random.ts";
import { run, SETTLE_MS, type Size } from "./run.ts";
import { startWorld, type World } from "./world.ts";

/** All runs of one kind, added up. */
export interface Total extends Findings {
  readonly kind: string;
  runs: number;
  ms: number;
  /** Requests that met the fault, if it concerns requests. */
  hits: number;
  /** The seeds of the runs that failed, with what was wrong. */
  readonly failures: string[];
}

export interface CampaignOptions {
  readonly kinds: readonly Kind[];
  readonly runs: number;
  readonly seed: string;
  readonly size: Size;
  /** The number of the first run, so that a single failure can be replayed. */
  readonly firstRun?: number;
  /** How many kinds run concurrently, each in its own world. */
  readonly lanes: number;
  /** How long a run may take to recover after its fault, in ms. */
  readonly settleMs?: number;
  readonly onTotal?: (total: Total) => void;
}

const BASELINE_MS = 15_000;
/** A pool or a log may hold a few more descriptors than at the start; one leaked per message would exceed this. */
const SPARE_FILES = 25;

export const isGood = (total: Total) => total.failures.length === 0;

/** Runs every kind, the given number of times. Totals come in the order of the kinds. */
export async function runCampaign(options: CampaignOptions): Promise<readonly Total[]> {
  const { kinds, lanes, onTotal } = options;
  const totals = new Map<string, Total>();
  const waiting = [...kinds];
  const work = async (lane: number) => {
    let world: World | undefined;
    let isSmall = false;
    for (let kind = waiting.shift(); kind; kind = waiting.shift()) {
      if (world && isSmall !== (kind.smallDisk ?? false)) {
        await world.dispose();
        world = undefined;
      }
      isSmall = kind.smallDisk ?? false;
      world ??= await startWorld(createSeededRandom(`${options.seed}/lane-${lane}`), { smallDisk: isSmall });
      const total = await runKind(world, kind, options);
      totals.set(kind.name, total);
      onTotal?.(total);
      if (isGood(total)) continue;
      // The leftovers of a failure must not disturb another kind.
      await world.dispose();
      world = undefined;
    }
    await world?.dispose();
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  return kinds.flatMap(({ name }) => totals.get(name) ?? []);
}

async function runKind(world: World, kind: Kind, options: CampaignOptions): Promise<Total> {
  const { runs, seed, size, firstRun = 0, settleMs = SETTLE_MS } = options;
  const total = emptyTotal(kind.name);
  const startedAt = performance.now();
  const filesBefore = world.bff.openFiles();
  for (let at = firstRun; at < firstRun + runs; at += 1) {
    const random = createSeededRandom(`${seed}/${kind.name}/${at}`);
    const name = `${kind.name}-${at}-${random.hex(6)}`;
    const found = await run({ world, kind, size, random, name, settleMs }).catch(failed);
    addRun(total, found, `--seed ${seed} --kind ${kind.name} --from ${at} --runs 1`);
  }
  const leftOver = await untilBaseline(world, filesBefore);
  if (leftOver) {
    total.other.push(leftOver);
    total.failures.push(leftOver);
  }
  const uncaught = [world.bff, world.service].filter(({ output }) =>
    /"uncaught"|an error nobody caught/.test(output()),
  );
  if (uncaught.length > 0)
    total.failures.push(`an error nobody caught: ${uncaught[0]?.output().slice(-1500)}`);
  total.hits = world.front.link.takeHits() + world.back.link.takeHits();
  total.ms = Math.round(performance.now() - startedAt);
  return total;
}

export function emptyTotal(kind: string): Total {
  const counts = { runs: 0, ms: 0, hits: 0, messages: 0, lost: 0, doubled: 0, disordered: 0, falseSent: 0 };
  return { kind, ...counts, other: [], failures: [] };
}

/** A run that broke off. */
export function failed(error: unknown): Findings {
  const cause = error instanceof Error && error.cause instanceof Error ? `${error.cause.stack}` : "";
  const text = error instanceof Error ? `${error.message} ${cause || error.stack}` : String(error);
  return { messages: 0, lost: 0, doubled: 0, disordered: 0, falseSent: 0, other: [text] };
}

/** Adds one run; `replay` are the arguments that run it again. */
export function addRun(total: Total, found: Findings, replay: string): void {
  total.runs += 1;
  for (const count of ["messages", "lost", "doubled", "disordered", "falseSent"] as const)
    total[count] += found[count];
  total.other.push(...found.other);
  const { lost, doubled, disordered, falseSent, other } = found;
  if (lost + doubled + disordered + falseSent + other.length === 0) return;
  const counts = `lost ${lost}, doubled ${doubled}, disordered ${disordered}, false sent ${falseSent}`;
  total.failures.push(`${replay}: ${[counts, ...other].join("; ")}`);
}

/** After all customers have left, their connections must be closed. Returns what stayed open. */
async function untilBaseline({ front, bff }: World, filesBefore: number): Promise<string | undefined> {
  const deadline = performance.now() + BASELINE_MS;
  // Half-open connections no longer count.
  front.proxy.closeConnections();
  for (;;) {
    const connections = front.proxy.connections();
    const files = bff.openFiles() - filesBefore;
    if (connections === 0 && files <= SPARE_FILES) return undefined;
    if (performance.now() > deadline) return `left over: ${connections} connections, ${files} open files`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
