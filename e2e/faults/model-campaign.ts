import { emptyTotal, type Total } from "./campaign.ts";
import { runModel } from "./model.ts";
import { runPageModel } from "./page-model.ts";
import { createSeededRandom } from "./random.ts";
import { startWorld } from "./world.ts";

/** Generated sequences of commands, against the BFF and in the pages of a browser. */
export const MODEL_KINDS = [{ name: "model" }, { name: "model-in-pages" }] as const;

export interface ModelCampaign {
  readonly kinds: readonly { readonly name: string }[];
  readonly runs: number;
  readonly seed: string;
  /** The path of a failure as it was printed, and after an `@` that of its commands. */
  readonly path: string | undefined;
  readonly onTotal: (total: Total) => void;
}

/** Each model returns one total with the shortest failing sequence, its seed and its path. */
export async function runModelCampaign(options: ModelCampaign): Promise<readonly Total[]> {
  const { kinds, runs, seed, path, onTotal } = options;
  const totals: Total[] = [];
  for (const { name } of kinds) {
    const total = emptyTotal(name);
    const startedAt = performance.now();
    const number = /^\d+$/.test(seed) ? Number(seed) : createSeededRandom(seed).between(1, 1e9);
    const [at, commands] = path?.split("@") ?? [];
    const given = {
      runs,
      seed: number,
      ...(at === undefined ? {} : { path: at }),
      ...(commands === undefined ? {} : { replayPath: commands }),
    };
    try {
      total.messages = await (name === "model" ? runAtTheDoor(given) : runPageModel(given));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
      total.failures.push(
        `--seed ${number} --kind ${name} --path PATH[@REPLAYPATH]:${cause} ${String(error)}`,
      );
    }
    total.runs = runs;
    total.ms = Math.round(performance.now() - startedAt);
    totals.push(total);
    onTotal(total);
  }
  return totals;
}

async function runAtTheDoor(given: {
  runs: number;
  seed: number;
  path?: string;
  replayPath?: string;
}): Promise<number> {
  const world = await startWorld(createSeededRandom(`model/${given.seed}`));
  try {
    await runModel({ world, ...given });
    if (world.ledger.holes() > 0) throw new Error("a conversation has a hole in its sequence");
    return world.ledger.count();
  } finally {
    await world.dispose();
  }
}
