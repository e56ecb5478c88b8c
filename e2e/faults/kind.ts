import type { SeededRandom } from "./random.ts";
import type { World } from "./world.ts";

/** One kind of fault between a customer and the store. */
export interface Kind {
  readonly name: string;
  readonly group: "front" | "back" | "process" | "browser";
  /** Needs a disk that can be full. */
  readonly smallDisk?: boolean;
  /** How long the fault lasts, minimum and maximum in ms. */
  readonly lastsMs: readonly [number, number];
  /** Starts the fault. The returned function ends it and restores the world. */
  readonly arrange: (world: World, random: SeededRandom) => Promise<Cure> | Cure;
}

export type Cure = () => Promise<void> | void;
