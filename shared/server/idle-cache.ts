import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

const IDLE_MS = 60 * 60 * 1000;

class UnusedLeave<T extends object> extends LRUCache<string, T> {
  #unused = new Set<string>();

  override get(key: string): T | undefined {
    this.#unused.delete(key);
    return super.get(key);
  }

  /** Drops what nobody read since the last time. */
  dropUnused(): void {
    for (const key of this.#unused) this.delete(key);
    this.#unused = new Set(this.keys());
  }
}

/**
 * An LRU cache whose entries also leave when nobody read them for one to two hours: memory comes back after many visitors.
 * A sweep each hour, because the library's own expiry asks the clock at each read. `sizeOf` measures an entry without its
 * key, and `most` is the limit for all of them, in characters.
 */
export function createIdleCache<T extends object>(
  clock: Clock,
  most: number,
  sizeOf: (value: T) => number,
): LRUCache<string, T> {
  const cache = new UnusedLeave<T>({
    maxSize: most,
    sizeCalculation: (value, key) => sizeOf(value) + key.length + 100,
  });
  clock.every(IDLE_MS, () => cache.dropUnused());
  return cache;
}
