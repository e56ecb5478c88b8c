import type { Clock } from "../../shared/server/clock.ts";

export interface ManualClock extends Clock {
  /** Advances time; timers run in their order. */
  advance(ms: number): void;
}

/** Time for tests: it stands still until a test advances it. */
export function createManualClock(start = Date.parse("2026-11-21T12:00:00Z")): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; every: number | undefined; run: () => void }>();
  const add = (ms: number, every: number | undefined, run: () => void) => {
    const timer = { at: now + ms, every, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    after: (ms, run) => add(ms, undefined, run),
    every: (ms, run) => add(ms, ms, run),
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        now = next.at;
        if (next.every === undefined) timers.delete(next);
        else next.at += next.every;
        next.run();
      }
      now = end;
    },
  };
}
