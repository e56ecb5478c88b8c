import type { SeededRandom } from "./random.ts";
import type { World } from "./world.ts";

/** One way in which something between a customer and the store goes wrong. */
export interface Kind {
  readonly name: string;
  readonly group: "front" | "back" | "process" | "browser";
  /** Needs a disk that can be full. */
  readonly smallDisk?: boolean;
  /** How long the fault lasts, milliseconds, from and to. */
  readonly lastsMs: readonly [number, number];
  /** Begins the fault. What it gives ends it; afterwards the world must be as before. */
  readonly arrange: (world: World, random: SeededRandom) => Promise<Cure> | Cure;
}

export type Cure = () => Promise<void> | void;
