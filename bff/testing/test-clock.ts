import { answersGiven } from "../../service/testing/fake/in-flight.ts";
import type { Clock } from "../../shared/server/clock.ts";

export interface TestClock extends Clock {
  /** Moves time on, running what falls due in order, and lets promises settle between. */
  advance(ms: number): Promise<void>;
  /** Jumps as a machine that slept: what fell due meanwhile runs once, late. For days, where `advance` would take long. */
  skip(ms: number): Promise<void>;
}

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** A clock that moves only when a test advances it. */
export function createTestClock(start = Date.UTC(2026, 10, 21, 12)): TestClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer) => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    after: (ms, run) => add({ at: now + ms, every: undefined, run }),
    every: (ms, run) => add({ at: now + ms, every: ms, run }),
    async advance(ms) {
      await settle();
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        now = Math.max(now, due.at);
        if (due.every === undefined) timers.delete(due);
        else due.at += due.every;
        due.run();
        await settle();
      }
      now = end;
      await settle();
    },
    async skip(ms) {
      now += ms;
      if (ms < 0) for (const timer of timers) timer.at += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        if (timer.every === undefined) timers.delete(timer);
        else timer.at = now + timer.every;
        timer.run();
      }
      await settle();
    },
  };
}

/** Runs `work` and lets a second of this clock pass whenever it waits. Returns its result. */
export async function whileTimePasses<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) await clock.advance(1_000);
  return work;
}

/** Lets everything that waits only on promises, immediate callbacks and the fake service come to rest. */
export async function settle(): Promise<void> {
  for (let isAtRest = false; !isAtRest; isAtRest = !(await answersGiven())) {
    for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
