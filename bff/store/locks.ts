import { randomUUID } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import { type Clock, isRecent, pause } from "../../shared/server/clock.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";
import type { Store } from "./store.ts";
import { blind } from "./store-address.ts";

/** The lease of a process that died ends after this. */
const LEASE_MS = 10_000;
const RENEW_MS = 3000;
/** How long `run` waits for another process: a browser does not wait longer for its answer. */
const WAIT_MS = 8000;
/** How often a name that another process holds is tried again. */
export const RETRY_MS = 50;

/** Releases a name. This process holds it until it calls this, or dies. */
export type Release = () => Promise<void>;

export type Locks = ReturnType<typeof createLocks>;

/** Names that one process at a time holds, of all processes on the store. */
export function createLocks(store: Store, clock: Clock) {
  const oneAtATime = createOneAtATime();
  /** The names that are held, where no other process is on the store. */
  const held = new Set<string>();

  async function take(name: string): Promise<Release | undefined> {
    if (store.isShared) return takeLease(store, clock, name);
    if (held.has(name)) return undefined;
    held.add(name);
    return async () => void held.delete(name);
  }
  async function lease(name: string, waitMs: number): Promise<Release | undefined> {
    const since = clock.now();
    for (;;) {
      const taken = await take(name);
      if (taken || !isRecent(clock, since, waitMs)) return taken;
      await pause(clock, RETRY_MS);
    }
  }

  return {
    /**
     * Takes a name among all processes within `waitMs`, and returns how to release it; undefined if another process
     * holds it for longer.
     * @throws Failure unavailable, storage_full
     */
    lease,
    /**
     * Runs work that belongs to one key one after the other.
     * @throws Failure in_flight when another process holds the key for too long; unavailable, storage_full
     */
    run: <T>(key: string, work: () => Promise<T>): Promise<T> =>
      oneAtATime(key, async () => {
        const release = await lease(`lock:${key}`, WAIT_MS);
        if (!release) throw new Failure("in_flight", { retryAfter: 5 });
        try {
          return await work();
        } finally {
          await release();
        }
      }),
  };
}

async function takeLease(store: Store, clock: Clock, name: string): Promise<Release | undefined> {
  const key = `lease:${blind(name)}`;
  const owner = randomUUID();
  const hold = { key, value: owner, lifeMs: LEASE_MS };
  if (!(await store.write([{ ...hold, was: null }]))) return undefined;
  // A failed renewal is retried; a lost lease expires.
  const stop = clock.every(
    RENEW_MS,
    () => void store.write([{ ...hold, was: owner }]).catch(() => undefined),
  );
  return async () => {
    stop();
    await store.write([{ key, was: owner, value: null }]).catch(() => undefined);
  };
}
