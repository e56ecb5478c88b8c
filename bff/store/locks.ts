import { randomUUID } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
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

/** A name that this process holds until it releases it or dies. */
export interface Lease {
  release(): Promise<void>;
}

export type Locks = ReturnType<typeof createLocks>;

/** Names that one process at a time holds, of all processes on the store. */
export function createLocks(store: Store, clock: Clock) {
  const oneAtATime = createOneAtATime();
  /** Names that this process holds: enough where it is the only one on the store. */
  const held = new Set<string>();

  async function take(name: string): Promise<Lease | undefined> {
    if (held.has(name)) return undefined;
    held.add(name);
    let lease: Lease | undefined;
    try {
      lease = store.isShared ? await takeLease(store, clock, name) : NO_LEASE;
    } finally {
      if (!lease) held.delete(name);
    }
    return (
      lease && {
        release() {
          held.delete(name);
          return lease.release();
        },
      }
    );
  }
  async function lease(name: string, waitMs: number): Promise<Lease | undefined> {
    const deadline = clock.now() + waitMs;
    for (;;) {
      const taken = await take(name);
      if (taken || clock.now() >= deadline) return taken;
      await pause(clock, RETRY_MS);
    }
  }

  return {
    /**
     * Takes a name among all processes within `waitMs`; undefined if another one holds it for longer.
     * @throws Failure unavailable, storage_full
     */
    lease,
    /**
     * Runs work that belongs to one key one after the other.
     * @throws Failure in_flight when another process holds the key for too long; unavailable, storage_full
     */
    run: <T>(key: string, work: () => Promise<T>): Promise<T> =>
      oneAtATime(key, async () => {
        const taken = await lease(`lock:${key}`, WAIT_MS);
        if (!taken) throw new Failure("in_flight", { retryAfter: 5 });
        try {
          return await work();
        } finally {
          await taken.release();
        }
      }),
  };
}

const NO_LEASE: Lease = { release: () => Promise.resolve() };

async function takeLease(store: Store, clock: Clock, name: string): Promise<Lease | undefined> {
  const key = `lease:${blind(name)}`;
  const owner = randomUUID();
  const hold = { key, value: owner, lifeMs: LEASE_MS };
  if (!(await store.write([{ ...hold, was: null }]))) return undefined;
  // A failed renewal is retried; a lost lease expires.
  const stop = clock.every(
    RENEW_MS,
    () => void store.write([{ ...hold, was: owner }]).catch(() => undefined),
  );
  return {
    async release() {
      stop();
      await store.write([{ key, was: owner, value: null }]).catch(() => undefined);
    },
  };
}
