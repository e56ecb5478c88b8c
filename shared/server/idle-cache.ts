import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

const IDLE_MS = 60 * 60 * 1000;

/**
 * An LRU cache whose entries also leave when nobody used them for an hour: memory comes back after many visitors.
 * `sizeOf` measures an entry without its key, and `most` is the limit for all of them, in characters.
 */
export function createIdleCache<T extends object>(
  clock: Clock,
  most: number,
  sizeOf: (value: T) => number,
): LRUCache<string, T> {
  const cache = new LRUCache<string, T>({
    maxSize: most,
    sizeCalculation: (value, key) => sizeOf(value) + key.length + 100,
    ttl: IDLE_MS,
    ttlResolution: 0,
    updateAgeOnGet: true,
    perf: clock,
  });
  clock.every(IDLE_MS, () => cache.purgeStale());
  return cache;
}
