import { setImmediate } from "node:timers";

/** A clock that only a test advances. */
export function createManualTime(startMs = Date.parse("2026-11-21T10:00:00Z")) {
  let now = startMs;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    setTimer: (run: () => void, ms: number) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((known) => known !== timer);
      };
    },
    /** The delays of the pending timers, in milliseconds, shortest first. */
    waiting: () => timers.map((timer) => timer.at - now).sort((a, b) => a - b),
    /** Advances the clock and runs everything that becomes due, in order. */
    async advance(ms: number) {
      await settle();
      const until = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        now = Math.max(now, next.at);
        timers = timers.filter((known) => known !== next);
        next.run();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

const TURNS = 12;

/** Lets everything in progress finish that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
