import fc from "fast-check";
import { openBrowser } from "./model-browser.ts";
import { commandsOf } from "./model-commands.ts";
import { createSeededRandom } from "./random.ts";
import type { World } from "./world.ts";

const MOST_COMMANDS = 25;

export interface ModelOptions {
  readonly world: World;
  readonly runs: number;
  readonly seed: number;
  /** The path of a failure: fast-check prints it, and replays from it. */
  readonly path?: string;
  /** The path within its commands. */
  readonly replayPath?: string;
}

/**
 * Runs sequences of commands against the real product and compares every screen with the store after each. The model
 * knows which keys were acknowledged, the service's order, and whose messages a screen may show.
 *
 * @throws Error with the shortest sequence that was found, its seed and its path
 */
export async function runModel({ world, runs, seed, path, replayPath }: ModelOptions): Promise<void> {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(commandsOf(MOST_COMMANDS, replayPath), async (commands) => {
      count += 1;
      const name = `model-${seed}-${count}`;
      const browser = await openBrowser(world, createSeededRandom(name), name);
      try {
        browser.openTab();
        await fc.asyncModelRun(() => ({ model: { tabs: 1, restarts: 0 }, real: browser }), commands);
        const faults = await browser.settle();
        if (faults.length > 0) throw new Error(faults.join("; "));
      } finally {
        await browser.dispose();
      }
    }),
    // Each further attempt to shrink a failure takes as long as a run.
    {
      numRuns: runs,
      seed,
      ...(path ? { path } : {}),
      endOnFailure: false,
      interruptAfterTimeLimit: 840_000,
      markInterruptAsFailure: true,
    },
  );
}
