/** A smaller change is ignored: the service names whole seconds, and its answer takes a while. */
const TOLERATED_MS = 60_000;

/**
 * The time at the service, by the `Date` of its last answer, so that a computer whose clock is wrong shows no wrong
 * waits and days. Without such an answer, the computer's own time.
 */
export function createServiceClock(now: () => number) {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    /** Reads an answer that no cache may have stored. */
    hear: ({ headers }: Response): void => {
      const difference = Date.parse(headers.get("date") ?? "") - now();
      // Without a date the difference is NaN, and nothing changes.
      if (Math.abs(difference - ahead) > TOLERATED_MS) ahead = difference;
    },
  };
}
