import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { LimitRule, UseCounts } from "../store/use-counts.ts";

/** Where a key stands after one use of it. */
export interface Use {
  readonly rule: LimitRule;
  readonly remaining: number;
  /** Seconds until the oldest use no longer counts. */
  readonly resetSeconds: number;
  readonly isRefused: boolean;
}

/** Counts one use by a key; rejects when there were too many. */
export interface RateLimit {
  /** @throws Failure rate_limited with the seconds to wait; unavailable, storage_full when uses can't be counted */
  take(key: string): Promise<void>;
}

/**
 * At most `max` uses of a key in any `windowMs`: exact, because each use is remembered. A use that is refused does
 * not count. Each one is told to `onUse`.
 */
export function createRateLimit(
  deps: { readonly clock: Clock; readonly counts: UseCounts },
  rule: LimitRule,
  onUse: (use: Use) => void = () => undefined,
): RateLimit {
  const { max, windowMs } = rule;
  return {
    async take(key) {
      const now = deps.clock.now();
      const { remaining, oldestAt, isRefused } = await deps.counts.count(rule, key, now);
      const resetSeconds = Math.max(1, Math.ceil((Math.min(oldestAt, now) + windowMs - now) / 1000));
      onUse({ rule, remaining: Math.min(remaining, max), resetSeconds, isRefused });
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
