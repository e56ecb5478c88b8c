import type { FailureCode } from "../../shared/errors.ts";

/** The state of reading something: in progress, shown, or the code of why it could not be read. */
export type Reading = "reading" | "ready" | FailureCode;

export function hasFailed(reading: Reading): reading is FailureCode {
  return reading !== "reading" && reading !== "ready";
}
