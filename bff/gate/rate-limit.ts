import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Use } from "../request/request-context.ts";
import type { LimitRule, UseCounts } from "../store/use-counts.ts";

export interface RateLimit {
  /**
   * Counts one use by a key.
   * @throws Failure rate_limited with the seconds to wait; unavailable, storage_full when uses can't be counted
   */
  take(key: string): Promise<void>;
}

/**
 * Allows at most `max` uses of a key in any window of `windowMs`. It is exact, because each use is stored; a refused use
 * does not count. `onUse` is called for each of them.
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

/** Returns the header fields of the IETF draft for rate limits, for the limit that is nearest to its end. */
export function rateHeaders(uses: readonly Use[]): Record<string, string> {
  let tightest: Use | undefined;
  for (const use of uses) {
    if (!tightest || shareLeft(use) < shareLeft(tightest)) tightest = use;
  }
  if (!tightest) return {};
  const { rule, remaining, resetSeconds } = tightest;
  return {
    "ratelimit-policy": `"${rule.name}";q=${rule.max};w=${Math.ceil(rule.windowMs / 1000)}`,
    ratelimit: `"${rule.name}";r=${remaining};t=${resetSeconds}`,
  };
}

const shareLeft = ({ remaining, rule }: Use) => remaining / rule.max;
