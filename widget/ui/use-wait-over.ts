import { useEffect, useState } from "preact/hooks";
import type { FailureCode } from "../../shared/errors.ts";

/** The longest time of a browser's timer: with a longer one it runs at once. */
const MAX_MS = 2 ** 31 - 1;

/** Why a call failed, as a failure or an unconfirmed message has it. */
export interface Reason {
  readonly code?: FailureCode;
  readonly retryAfter?: number | undefined;
}

/**
 * Whether the seconds that a limit named have passed, so that the call may be repeated. Nothing counts down, because a
 * screen reader may announce each change.
 */
export function useWaitOver(
  reason: Reason | undefined,
  setTimer: (run: () => void, ms: number) => () => void,
): boolean {
  const [over, setOver] = useState<Reason | undefined>();
  useEffect(() => {
    const { code, retryAfter = 0 } = reason ?? {};
    if (code !== "rate_limited" || retryAfter <= 0) return undefined;
    return setTimer(() => setOver(reason), Math.min(retryAfter * 1000, MAX_MS));
  }, [reason, setTimer]);
  return over !== undefined && over === reason;
}
