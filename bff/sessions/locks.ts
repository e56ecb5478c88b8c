import { Failure } from "../../shared/errors.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
import type { Lease, Peers } from "../peers.ts";

/** Runs work that belongs to one key one after the other; work of different keys runs side by side. */
export interface Locks {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key);
      const mine = before === undefined ? work() : before.then(work, work);
      // What waits on this must not see its failure; the caller does.
      const done = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(key, done);
      void done.then(() => {
        if (last.get(key) === done) last.delete(key);
      });
      return mine;
    },
  };
}

/** Longer than a browser waits for its answer is no use. */
const WAIT_MS = 8000;
/** How often a name that another process has is asked for again. */
export const ASK_AGAIN_MS = 50;

/**
 * Locks that hold over all processes on the same store.
 * `run` rejects with Failure in_flight when another process has the key for too long, unavailable without the store.
 */
export function createPeerLocks(peers: Peers, clock: Clock): Locks {
  const here = createLocks();
  return {
    run: (key, work) =>
      here.run(key, async () => {
        const lease = await leaseInTime(peers, clock, `lock:${key}`, WAIT_MS);
        if (!lease) throw new Failure("in_flight", { retryAfter: 5 });
        try {
          return await work();
        } finally {
          await lease.release();
        }
      }),
  };
}

/** A name as soon as it is free; undefined where it is not within `ms`. */
export async function leaseInTime(
  peers: Peers,
  clock: Clock,
  name: string,
  ms: number,
): Promise<Lease | undefined> {
  const deadline = clock.now() + ms;
  for (;;) {
    const lease = await peers.lease(name);
    if (lease || clock.now() >= deadline) return lease;
    await pause(clock, ASK_AGAIN_MS);
  }
}
