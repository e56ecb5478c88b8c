import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Failure, PROBLEM_MEDIA_TYPE, problemOf } from "../../shared/errors.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";

/** Variables of a request. */
export interface RequestFacts {
  Variables: { requestId: string };
}

/**
 * The one place where an error becomes a response: a Failure becomes its problem, everything else `internal`, without
 * details. Our own faults are logged by their place in the code, never by their message.
 */
export function answerError(error: unknown, c: Context<RequestFacts>, log: Log): Response {
  const requestId = c.get("requestId");
  const failure = error instanceof Failure ? error : new Failure("internal");
  if (!(error instanceof Failure)) log.error({ requestId, ...errorFacts(error) }, "a request broke");
  // Only a failed store's cause is an error.
  const isOfStore = failure.cause instanceof Error;
  if (isOfStore && (failure.code === "unavailable" || failure.code === "storage_full"))
    log.error({ requestId, code: failure.code, ...errorFacts(failure.cause) }, "the store failed");
  if (failure.retryAfter !== undefined) c.header("retry-after", String(Math.ceil(failure.retryAfter)));
  // The rest of a refused body is not read, so the next request on this connection could be inside it.
  if (failure.code === "body_too_large" || failure.code === "unsupported_media_type")
    c.header("connection", "close");
  if (failure.status === 401) c.header("www-authenticate", "Bearer");
  c.header("content-type", PROBLEM_MEDIA_TYPE);
  return c.body(JSON.stringify(problemOf(failure, requestId)), failure.status as ContentfulStatusCode);
}
