import { type Clock, isRecent } from "./clock.ts";

const AGAIN_MS = 60_000;

/**
 * An alarm for the operator that may be due at every call: `log` writes it at most once a minute for the same arguments,
 * and at once for others. It remembers each combination, so there must be few.
 */
export function createAlarm<Args extends (string | number | undefined)[]>(
  clock: Pick<Clock, "now">,
  log: (...args: Args) => void,
): (...args: Args) => void {
  const loggedAt = new Map<string, number>();
  return (...args) => {
    const kind = args.join();
    if (isRecent(clock, loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY, AGAIN_MS)) return;
    loggedAt.set(kind, clock.now());
    log(...args);
  };
}
