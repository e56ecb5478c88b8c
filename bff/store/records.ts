import { LRUCache } from "lru-cache";
import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { jsonOf } from "../../shared/json.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createIdleCache } from "../../shared/server/idle-cache.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";
import type { Signal, Store } from "./store.ts";

/** How often a change is recomputed because another process was faster. */
const MAX_TRIES = 100;
/** If reading extends a record's life, it does so at most once in this time. */
const EXTEND_MS = 24 * 3_600_000;
/** The number of extended records that are remembered. A record beyond it is extended again, which is harmless. */
const MAX_EXTENDED = 10_000;

/** A parsed value and the text that it was parsed from. The same text gives the same object. */
export interface Stored<T> {
  readonly text: string;
  readonly value: T;
}

/** The records of one kind: typed values under keys with one prefix. */
export function createRecords<T>(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly prefix: string;
  readonly schema: z.ZodMiniType<T>;
  /** How long a record lives after it was written, in milliseconds. */
  readonly lifeOf: (name: string, value: T) => number;
  /** Limit for values in memory, in characters of their texts. */
  readonly cachedCharacters: number;
  /** Whether reading counts as use: then a record lives as long as somebody reads it now and then. By default it does not. */
  readonly livesByReading?: (name: string) => boolean;
  /** Whether a value of another form counts as missing; otherwise it is refused, and never overwritten. */
  readonly ignoresForeign?: boolean;
}) {
  const { store, clock, prefix, schema, lifeOf, cachedCharacters } = options;
  const { livesByReading = () => false, ignoresForeign = false } = options;
  const cache = createIdleCache<Stored<T>>(clock, cachedCharacters, ({ text }) => text.length);
  // With `max` instead, the cache would reserve the memory of all its entries at once.
  const extended = new LRUCache<string, number>({ maxSize: MAX_EXTENDED, sizeCalculation: () => 1 });
  const oneAtATime = createOneAtATime();

  const put = (name: string, value: T) => ({
    key: prefix + name,
    value: JSON.stringify(value),
    lifeMs: lifeOf(name, value),
  });
  const read = async (name: string) => storedOf(name, await store.get(prefix + name));
  function storedOf(name: string, text: string | undefined): Stored<T> | undefined {
    if (text === undefined) {
      cache.delete(name);
      return undefined;
    }
    const cached = cache.get(name);
    if (cached?.text === text) return cached;
    const value = schema.safeParse(jsonOf(text)).data;
    if (value === undefined) {
      if (ignoresForeign) return undefined;
      throw new Failure("unavailable", { cause: new Error(`a value under ${prefix} is not one of ours`) });
    }
    const stored = { text, value };
    cache.set(name, stored);
    return stored;
  }
  /** Not awaited: the next reader retries if it fails. */
  function extend(name: string, { text, value }: Stored<T>): void {
    extended.set(name, clock.now());
    const same = { key: prefix + name, was: text, value: text, lifeMs: lifeOf(name, value) };
    store.write([same]).catch(() => extended.delete(name));
  }

  return {
    /** The change that writes a value, for a write of several changes. */
    put,
    /** Frees the memory of a record that was deleted. */
    forget(name: string): void {
      cache.delete(name);
      extended.delete(name);
    },
    /** @throws Failure unavailable; also for a foreign value, unless those are ignored */
    async find(name: string): Promise<Stored<T> | undefined> {
      const text = store.get(prefix + name);
      // A message reads two records, both in memory: what is there is not waited for.
      const stored = storedOf(name, text instanceof Promise ? await text : text);
      if (stored && livesByReading(name) && clock.now() - (extended.get(name) ?? 0) >= EXTEND_MS)
        extend(name, stored);
      return stored;
    },
    /**
     * Replaces a value with what `next` makes of it, again if another process was faster; undefined changes nothing.
     * @returns the value after the change
     * @throws Failure unavailable, storage_full
     */
    change: (name: string, next: (now: T | undefined) => T | undefined, signalOf?: (after: T) => Signal) =>
      oneAtATime(name, async () => {
        for (let tries = 0; tries < MAX_TRIES; tries += 1) {
          const before = await read(name);
          const value = next(before?.value);
          if (value === undefined) return before?.value;
          const change = put(name, value);
          if (change.value === before?.text) return before.value;
          if (await store.write([{ ...change, was: before?.text ?? null }], signalOf?.(value))) {
            extended.set(name, clock.now());
            cache.set(name, { text: change.value, value });
            return value;
          }
        }
        throw new Failure("unavailable", {
          cause: new Error(`a value under ${prefix} changes all the time`),
        });
      }),
  };
}
