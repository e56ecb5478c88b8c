import { createAtMost } from "../../shared/server/at-most.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";

/** Reads of logs at once, in this process: most connections of the pool to the service stay free for messages. */
const MAX_READS = 32;

/** Runs reads of a log: one at a time for each session, and a bounded number in this process. Others wait. */
export type ReadBounds = <T>(sessionId: string, read: () => Promise<T>) => Promise<T>;

export function createReadBounds(max = MAX_READS): ReadBounds {
  const oneAtATime = createOneAtATime();
  const atMost = createAtMost(max);
  return (sessionId, read) => oneAtATime(sessionId, () => atMost(read));
}
