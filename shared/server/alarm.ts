import { type Clock, isRecent } from "./clock.ts";

const AGAIN_MS = 60_000;

/** An alarm for the operator that may be due at every call: `log` writes it at most once a minute. */
export function createAlarm<Args extends unknown[]>(
  clock: Clock,
  log: (...args: Args) => void,
): (...args: Args) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (isRecent(clock, loggedAt, AGAIN_MS)) return;
    loggedAt = clock.now();
    log(...args);
  };
}
