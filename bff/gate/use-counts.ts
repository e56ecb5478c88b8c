import { LRUCache } from "lru-cache";
import type { LimitRule } from "./rate-limit.ts";

/** Keys that one limit remembers; under a flood of them the ones unused longest are forgotten. */
const MAX_KEYS = 10_000;

/** Where a key stands after one more use. `oldestAt` is the oldest use that counts, in milliseconds since 1970. */
export interface UseCount {
  readonly remaining: number;
  readonly oldestAt: number;
  readonly isRefused: boolean;
}

/** Where uses are remembered: in this process, or in a store that several share. */
export interface UseCounts {
  /**
   * Counts one use at `now`, in one atomic step; a refused one is not kept.
   * @throws Failure unavailable, storage_full: what can't be counted is not let through
   */
  count(rule: LimitRule, key: string, now: number): Promise<UseCount>;
}

/** Uses in the memory of this process. */
export function createUseCounts(): UseCounts {
  const byRule = new Map<string, LRUCache<string, number[]>>();
  return {
    async count({ name, max, windowMs }, key, now) {
      let uses = byRule.get(name);
      if (!uses) {
        uses = new LRUCache({ max: MAX_KEYS });
        byRule.set(name, uses);
      }
      let times = uses.get(key);
      if (!times) {
        times = [];
        uses.set(key, times);
      }
      while (times[0] !== undefined && now - times[0] >= windowMs) times.shift();
      const isRefused = times.length >= max;
      if (!isRefused) times.push(now);
      return { remaining: max - times.length, oldestAt: times[0] ?? now, isRefused };
    },
  };
}
