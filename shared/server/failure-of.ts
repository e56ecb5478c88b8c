import { Failure } from "../errors.ts";
import { errorFacts, type Log } from "./log.ts";

/**
 * Turns an error into a failure, with the headers that its answer needs. An unexpected error becomes `internal`, and is
 * logged without its message, which may quote a customer. `store` names the store for the log.
 */
export function failureOf(
  error: unknown,
  requestId: string,
  { log, store }: { readonly log: Log; readonly store: string },
): { readonly failure: Failure; readonly headers: Readonly<Record<string, string>> } {
  if (!(error instanceof Failure)) log.error({ requestId, ...errorFacts(error) }, "unexpected error");
  const failure = error instanceof Failure ? error : new Failure("internal");
  // Only a failed store's cause is an error. A failed call to the service was already logged, and a process that stops, or
  // waits for the site's keys, refuses without a cause.
  const isOfStore = failure.cause instanceof Error;
  if (isOfStore && (failure.code === "unavailable" || failure.code === "storage_full")) {
    log.error({ requestId, code: failure.code, ...errorFacts(failure.cause) }, `${store} failed`);
  }
  const headers: Record<string, string> = {};
  if (failure.retryAfter !== undefined) headers["retry-after"] = String(Math.ceil(failure.retryAfter));
  // The rest of a refused body is not read, so the next request on this connection could be inside it.
  if (failure.code === "body_too_large" || failure.code === "unsupported_media_type")
    headers["connection"] = "close";
  return { failure, headers };
}
