import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createUseCounts } from "../../shared/server/use-counts.ts";

/** An attempt that was counted. */
export interface CountedAttempt {
  /** Whether it is the only one of its key that counts. */
  readonly isFirst: boolean;
  /** Takes it back, because it was not a failure. */
  giveBack(): void;
}

/**
 * Counts attempts per key in any window of `windowMs`, in memory. An attempt counts before it is checked, so a hundred
 * concurrent ones count as a hundred.
 */
export function createAttemptLimit(options: {
  readonly clock: Clock;
  readonly attempts: number;
  readonly windowMs: number;
}) {
  const { clock, attempts: max, windowMs } = options;
  const counts = createUseCounts(clock);
  const rule = { name: "attempts", max, windowMs };
  return {
    /** Counts one attempt. @throws Failure `rate_limited` with the seconds to wait */
    take(key: string): CountedAttempt {
      const now = clock.now();
      const { remaining, oldestAt, isRefused } = counts.count(rule, key, now);
      if (isRefused) throw tooMany((oldestAt + windowMs - now) / 1000);
      return { isFirst: remaining === max - 1, giveBack: () => counts.giveBack(rule, key, now) };
    },
    /** Removes the key's attempts after a success. */
    forget: (key: string) => counts.forget(rule, key),
  };
}

/** The failure of an attempt that comes too soon, with the seconds to wait. */
export function tooMany(seconds: number): Failure {
  const retryAfter = Math.ceil(seconds);
  return new Failure("rate_limited", {
    retryAfter,
    detail: `Too many attempts. Wait ${waitOf(retryAfter)}, then try again.`,
  });
}

function waitOf(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const count = Math.ceil(seconds / 60);
  return count === 1 ? "a minute" : `${count} minutes`;
}
