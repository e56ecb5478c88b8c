import type { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";
import { createIdleCache } from "./idle-cache.ts";

/** A limit: at most `max` uses in any `windowMs`. */
export interface LimitRule {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** The state of a key after one more use. `oldestAt` is the oldest use that counts, in milliseconds since 1970. */
export interface UseCount {
  readonly remaining: number;
  readonly oldestAt: number;
  readonly isRefused: boolean;
}

/** Counts uses: in this process, or in a store that several processes share. */
export interface UseCounts {
  /**
   * Counts one use at `now` in one atomic step; a refused use does not count. Counts need not survive a restart. Returns no
   * promise if there is nothing to wait for, because each message counts in three limits.
   * @throws Failure unavailable: a use that can't be counted is not allowed
   */
  count(rule: LimitRule, key: string, now: number): UseCount | Promise<UseCount>;
  /** Takes back one use that was counted at `at`. */
  giveBack(rule: LimitRule, key: string, at: number): void | Promise<void>;
}

/** Characters of keys in memory, for each rule: some 15,000 keys. A rule's `max` bounds the times of a key. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Counts uses in the memory of this process. A flood of keys drops those that were used longest ago. Each rule has its own
 * cache: otherwise the many keys that count for a minute would displace those that count for an hour.
 */
export function createUseCounts(clock: Clock) {
  const byRule = new Map<string, LRUCache<string, number[]>>();
  function usesOf({ name }: LimitRule) {
    const uses = byRule.get(name) ?? createIdleCache<number[]>(clock, MAX_CHARACTERS, () => 0);
    byRule.set(name, uses);
    return uses;
  }
  return {
    count(rule: LimitRule, key: string, now: number): UseCount {
      const { max, windowMs } = rule;
      const uses = usesOf(rule);
      const known = uses.get(key);
      const times = known ?? [];
      // Also drops times in the future, which exist after the machine's clock was set back.
      while (times[0] !== undefined && Math.abs(now - times[0]) >= windowMs) times.shift();
      const isRefused = times.length >= max;
      if (!isRefused) times.push(now);
      if (!known) uses.set(key, times);
      return { remaining: max - times.length, oldestAt: times[0] ?? now, isRefused };
    },
    giveBack(rule: LimitRule, key: string, at: number): void {
      const times = usesOf(rule).get(key) ?? [];
      const index = times.lastIndexOf(at);
      if (index >= 0) times.splice(index, 1);
    },
    /** Takes back every use of a key. */
    forget: (rule: LimitRule, key: string) => void usesOf(rule).delete(key),
  };
}
