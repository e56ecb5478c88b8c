import { MAX_BODY_BYTES } from "../limits.ts";
import type { OperationLimits } from "../operation.ts";

/** The limits of a plain call. A browser waits 10 s for the BFF, so a call must finish sooner. */
export const CALL: OperationLimits = {
  timeMs: 8000,
  requestBytes: MAX_BODY_BYTES,
  answerBytes: 1024 * 1024,
};

/** A first message of 10,000 characters, up to four bytes each, and where the customer was. */
export const START: OperationLimits = { ...CALL, requestBytes: 48 * 1024 };

/** For a file: 10 MB take this long at 0.7 Mbit/s. */
export const FILE: OperationLimits = { ...CALL, timeMs: 120_000 };

/** A service without pages sends a whole transcript. */
export const TRANSCRIPT: OperationLimits = { ...CALL, answerBytes: 16 * 1024 * 1024 };

/** A hand-off carries a transcript of 100,000 characters, up to four bytes each when escaped. */
export const HANDOFF: OperationLimits = { ...CALL, requestBytes: 416 * 1024 };

/** The stream of an agent's answer, from the request to its last event. */
export const TURN_STREAM = {
  /** A model may think this long before its first token, and this long between two. */
  firstMs: 20_000,
  silenceMs: 20_000,
  totalMs: 60_000,
  lineBytes: 256 * 1024,
  totalBytes: 2 * 1024 * 1024,
} as const;
