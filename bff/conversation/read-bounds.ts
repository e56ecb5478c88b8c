import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";

/** Reads of logs at once, in this process: most connections of the pool to the service stay free for messages. */
const MAX_READS = 32;

/** Runs reads of a log: one at a time for each session, and a bounded number in this process. Others wait. */
export type ReadBounds = <T>(sessionId: string, read: () => Promise<T>) => Promise<T>;

export function createReadBounds(max = MAX_READS): ReadBounds {
  const oneAtATime = createOneAtATime();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function within<T>(read: () => Promise<T>): Promise<T> {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await read();
    } finally {
      // The place goes to the next in the queue, or becomes free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }
  return (sessionId, read) => oneAtATime(sessionId, () => within(read));
}
