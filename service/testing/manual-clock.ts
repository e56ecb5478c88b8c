import type { Clock } from "../../shared/server/clock.ts";

export interface ManualClock extends Clock {
  /** Advances time; timers run in their order. */
  advance(ms: number): void;
  /** How many timers are running. */
  running(): number;
}

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** Time for tests: it stands still until a test advances it. */
export function createManualClock(start = Date.parse("2026-11-21T12:00:00Z")): ManualClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer) => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const run = (timer: Timer) => {
    if (timer.every === undefined) timers.delete(timer);
    else timer.at += timer.every;
    timer.run();
  };
  return {
    now: () => now,
    after: (ms, whenDue) => add({ at: now + ms, every: undefined, run: whenDue }),
    every: (ms, whenDue) => add({ at: now + ms, every: ms, run: whenDue }),
    advance(ms) {
      const end = now + ms;
      // All timers of one moment at once: a test has ten thousand of them.
      for (let next = firstOf(timers); next <= end; next = firstOf(timers)) {
        now = next;
        const due = [...timers].filter(({ at }) => at === next);
        for (const timer of due) if (timers.has(timer)) run(timer);
      }
      now = end;
    },
    running: () => timers.size,
  };
}

/** The moment at which the next timer is due. */
function firstOf(timers: ReadonlySet<Timer>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { at } of timers) first = Math.min(first, at);
  return first;
}
