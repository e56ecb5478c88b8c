import { Failure, problemOf } from "../../shared/errors.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import { type MoreHeaders, problemAnswer } from "./headers.ts";

/** Turns an error into a problem. An unexpected one is logged without its message, which may quote a customer. */
export function problemFor(error: unknown, requestId: string, log: Log, more: MoreHeaders = {}): Response {
  if (!(error instanceof Failure)) log.error({ requestId, ...errorFacts(error) }, "unexpected error");
  const failure = error instanceof Failure ? error : new Failure("internal");
  // Only a failed store's cause is an error. A failed call to the service was already logged, and a process that stops, or
  // waits for the site's keys, refuses without a cause.
  const isOfStore = failure.cause instanceof Error;
  if (isOfStore && (failure.code === "unavailable" || failure.code === "storage_full")) {
    log.error({ requestId, code: failure.code, ...errorFacts(failure.cause) }, "the session store failed");
  }
  const headers: Record<string, string> = { ...more };
  if (failure.retryAfter !== undefined) headers["retry-after"] = String(failure.retryAfter);
  // The rest of a refused body is not read, so the next request on this connection could be inside it.
  if (failure.code === "body_too_large" || failure.code === "unsupported_media_type")
    headers["connection"] = "close";
  return problemAnswer(failure.status, problemOf(failure, requestId), requestId, headers);
}
