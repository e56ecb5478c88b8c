import type { Clock } from "../../../../shared/server/clock.ts";

/** Pauses before another attempt end at once, deadlines when the test ends them. */
export function createDeadlines(): Clock & { expire(): void } {
  const held = new Set<() => void>();
  return {
    now: () => 0,
    after(ms, run) {
      if (ms < 5000) {
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      }
      held.add(run);
      return () => void held.delete(run);
    },
    every: () => () => undefined,
    expire() {
      for (const run of held) run();
    },
  };
}
