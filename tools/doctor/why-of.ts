import { Refused } from "../../bff/upstream/failure.ts";
import { Failure } from "../../shared/errors.ts";

/** Explains a failed call to an operator, without the service's own text. */
export function whyOf(error: unknown): string {
  if (error instanceof Refused) return `it answered ${error.answered}.`;
  if (!(error instanceof Failure)) return "an unexpected error.";
  const why = typeof error.cause === "string" ? ` (${error.cause})` : "";
  if (error.code === "not_confirmed") return `its answer is not a verified result${why}.`;
  if (error.code === "storage_full") return "it has no room left (507).";
  if (error.code === "support_timeout") return "it does not answer in time.";
  return `it fails${why}.`;
}
