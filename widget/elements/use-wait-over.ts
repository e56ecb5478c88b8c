import { useEffect, useState } from "preact/hooks";
import type { FailureCode } from "../../shared/errors.ts";

/** The longest time of a browser's timer: with a longer one it runs at once. */
const MAX_MS = 2 ** 31 - 1;

/** When each reason was first shown, so that one that is shown again does not begin to wait again. */
const shownSince = new WeakMap<Reason, number>();

/** Why a call failed, as a failure or an unconfirmed message has it. */
export interface Reason {
  readonly code?: FailureCode;
  readonly retryAfter?: number | undefined;
}

interface Clock {
  readonly now: () => number;
  readonly setTimer: (run: () => void, ms: number) => () => void;
}

/**
 * Whether the seconds that a limit named have passed, so that the call may be repeated. Nothing counts down, because a
 * screen reader may announce each change.
 */
export function useWaitOver(reason: Reason | undefined, { setTimer, now }: Clock): boolean {
  const [over, setOver] = useState<Reason | undefined>();
  useEffect(() => {
    const { code, retryAfter = 0 } = reason ?? {};
    if (!reason || code !== "rate_limited" || retryAfter <= 0) return undefined;
    const since = shownSince.get(reason) ?? now();
    shownSince.set(reason, since);
    return setTimer(() => setOver(reason), Math.min(since + retryAfter * 1000 - now(), MAX_MS));
  }, [reason, setTimer, now]);
  return over !== undefined && over === reason;
}
