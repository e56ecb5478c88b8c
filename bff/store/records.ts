import { LRUCache } from "lru-cache";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createQueue } from "./queue.ts";
import type { Change, Signal, Store } from "./store.ts";

/** How often a change is computed again because another process was quicker. */
const MAX_TRIES = 100;
/** Where reading extends a record's life, it does so at most once in this time. */
const EXTEND_MS = 24 * 3_600_000;

/** A parsed value and the text that it was parsed from. The same text gives the same object. */
export interface Stored<T> {
  readonly text: string;
  readonly value: T;
}

/** The records of one kind: typed values under keys with one prefix. */
export interface Records<T> {
  /** @throws Failure unavailable; also for a foreign value, unless those are ignored */
  find(name: string): Promise<Stored<T> | undefined>;
  /**
   * Replaces a value with what follows from it, again when another process was quicker. With undefined nothing changes.
   * @returns the value after the change
   * @throws Failure unavailable, storage_full
   */
  change(
    name: string,
    next: (now: T | undefined) => T | undefined,
    signalOf?: (after: T) => Signal,
  ): Promise<T | undefined>;
  /** Frees the memory of a record that was deleted. */
  forget(name: string): void;
  /** The change that writes a value, for a write of several changes. */
  put(name: string, value: T): Change & { readonly value: string };
}

export function createRecords<T>(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly prefix: string;
  /** Undefined for a value that is not of this kind. */
  readonly parse: (value: unknown) => T | undefined;
  /** How long a record lives after it was written, in milliseconds. */
  readonly lifeOf: (name: string, value: T) => number;
  /** Characters of texts whose values stay in memory. */
  readonly cachedCharacters: number;
  /** Whether reading counts as use: then a record lives on as long as somebody reads it now and then. */
  readonly livesByReading?: boolean;
  /** Whether a value of another form reads as missing; otherwise it is refused, and never overwritten. */
  readonly ignoresForeign?: boolean;
}): Records<T> {
  const { store, clock, prefix, parse, lifeOf, cachedCharacters } = options;
  const { livesByReading = false, ignoresForeign = false } = options;
  const cache = new LRUCache<string, Stored<T>>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ text }, name) => text.length + name.length + 100,
  });
  const extended = new LRUCache<string, number>({ max: 10_000 });
  const queue = createQueue();

  const put = (name: string, value: T) => ({
    key: prefix + name,
    value: JSON.stringify(value),
    lifeMs: lifeOf(name, value),
  });
  async function read(name: string): Promise<Stored<T> | undefined> {
    const text = await store.get(prefix + name);
    if (text === undefined) {
      cache.delete(name);
      return undefined;
    }
    const cached = cache.get(name);
    if (cached?.text === text) return cached;
    const value = parse(parseJson(text));
    if (value === undefined) {
      if (ignoresForeign) return undefined;
      throw new Failure("unavailable", { cause: new Error(`a value under ${prefix} is not one of ours`) });
    }
    const stored = { text, value };
    cache.set(name, stored);
    return stored;
  }
  /** Nobody waits for this: the next reader tries again when it fails. */
  function extend(name: string, { text, value }: Stored<T>): void {
    extended.set(name, clock.now());
    const same = { key: prefix + name, was: text, value: text, lifeMs: lifeOf(name, value) };
    store.write([same]).catch(() => extended.delete(name));
  }

  return {
    put,
    forget(name) {
      cache.delete(name);
      extended.delete(name);
    },
    async find(name) {
      const stored = await read(name);
      if (stored && livesByReading && clock.now() - (extended.get(name) ?? 0) >= EXTEND_MS)
        extend(name, stored);
      return stored;
    },
    change: (name, next, signalOf) =>
      queue.run(name, async () => {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
