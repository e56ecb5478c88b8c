import { Failure } from "../../shared/errors.ts";
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";

/** Keys that one limit remembers; under a flood of them the ones unused longest are forgotten (R87). */
const MAX_KEYS = 10_000;

/** How much of what: at most `max` uses in any `windowMs`. */
export interface LimitRule {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Where a key stands after one use of it. */
export interface Use {
  readonly rule: LimitRule;
  readonly remaining: number;
  /** Seconds until the oldest use no longer counts. */
  readonly resetSeconds: number;
  readonly isRefused: boolean;
}

/** Counts one use by a key; throws when there were too many. */
export interface RateLimit {
  /** @throws Failure rate_limited with the seconds to wait */
  take(key: string): void;
}

/**
 * At most `max` uses of a key in any `windowMs`: exact, because each use is remembered (R87). A use that is refused does
 * not count. Each one is told to `onUse`.
 */
export function createRateLimit(
  clock: Clock,
  rule: LimitRule,
  onUse: (use: Use) => void = () => undefined,
): RateLimit {
  const { max, windowMs } = rule;
  const uses = new BoundedMap<string, number[]>(MAX_KEYS);
  return {
    take(key) {
      const now = clock.now();
      let times = uses.get(key);
      if (!times) {
        times = [];
        uses.set(key, times);
      }
      while (times[0] !== undefined && now - times[0] >= windowMs) times.shift();
      const isRefused = times.length >= max;
      if (!isRefused) times.push(now);
      const resetSeconds = Math.max(1, Math.ceil(((times[0] ?? now) + windowMs - now) / 1000));
      onUse({ rule, remaining: max - times.length, resetSeconds, isRefused });
      if (isRefused) throw new Failure("rate_limited", { retryAfter: resetSeconds });
    },
  };
}

/** The limit nearest to its end, in the header fields of the draft for rate limits. */
export function rateHeaders(uses: readonly Use[]): Record<string, string> {
  const tightest = uses.toSorted((a, b) => a.remaining / a.rule.max - b.remaining / b.rule.max)[0];
  if (!tightest) return {};
  const { rule, remaining, resetSeconds } = tightest;
  return {
    "ratelimit-policy": `"${rule.name}";q=${rule.max};w=${Math.ceil(rule.windowMs / 1000)}`,
    ratelimit: `"${rule.name}";r=${remaining};t=${resetSeconds}`,
  };
}
