import { Failure } from "../../shared/errors.ts";
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";

const MAX_KEYS = 20_000;

/** Counts one use by a key; throws when there were too many. */
export interface RateLimit {
  /** @throws Failure rate_limited with the seconds to wait */
  take(key: string): void;
}

interface Window {
  /** Times of the last uses, a ring; 0 is none. */
  readonly at: Float64Array;
  next: number;
}

/**
 * At most `max` uses of a key in any `windowMs`: exact, because each use is remembered (R87). A use that is refused does
 * not count. The memory is bounded; under a flood of keys the ones unused longest are forgotten.
 */
export function createRateLimit(
  clock: Clock,
  { max, windowMs }: { max: number; windowMs: number },
): RateLimit {
  const windows = new BoundedMap<string, Window>(MAX_KEYS);
  return {
    take(key) {
      let window = windows.get(key);
      if (!window) {
        window = { at: new Float64Array(max), next: 0 };
        windows.set(key, window);
      }
      const now = clock.now();
      const oldest = window.at[window.next] ?? 0;
      if (oldest > 0 && now - oldest < windowMs) {
        throw new Failure("rate_limited", {
          retryAfter: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)),
        });
      }
      window.at[window.next] = now;
      window.next = (window.next + 1) % max;
    },
  };
}
