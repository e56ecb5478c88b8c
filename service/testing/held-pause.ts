import type { Pause } from "../store/sqlite/write-queue.ts";

/** A wait that the test ends, independent of the machine's speed. */
export interface HeldPause {
  readonly pause: Pause;
  /** The milliseconds requested so far. */
  readonly asked: number;
  /** Resolves once something waits. */
  untilHeld(): Promise<void>;
  /** Ends the wait; each later wait ends with the event loop's turn. */
  letGo(): void;
}

export function createHeldPause(): HeldPause {
  const first = Promise.withResolvers<void>();
  let asked = 0;
  let held: (() => void)[] = [];
  let isOver = false;
  return {
    pause(ms, run) {
      asked += ms;
      if (isOver) setImmediate(run);
      else held.push(run);
      first.resolve();
    },
    get asked() {
      return asked;
    },
    untilHeld: () => first.promise,
    letGo() {
      isOver = true;
      for (const run of held) setImmediate(run);
      held = [];
    },
  };
}
