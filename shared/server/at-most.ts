import { Failure } from "../errors.ts";

/** Seconds after which somebody who was refused may try again. */
const RETRY_AFTER = 5;

/**
 * Runs at most `running` tasks at once in this process; others wait in order.
 * @throws Failure `rate_limited` if `waiting` others are already waiting
 */
export function createAtMost(running: number, waiting = Number.POSITIVE_INFINITY) {
  const queue: (() => void)[] = [];
  let count = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (count >= running) {
      if (queue.length >= waiting) throw new Failure("rate_limited", { retryAfter: RETRY_AFTER });
      await new Promise<void>((begin) => queue.push(begin));
    } else count += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in the queue, or becomes free.
      const next = queue.shift();
      if (next) next();
      else count -= 1;
    }
  };
}
