import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { PROBLEM_MEDIA_TYPE, problemOf } from "../../shared/errors.ts";
import { failureOf } from "../../shared/server/failure-of.ts";
import type { Log } from "../../shared/server/log.ts";

/** Variables of a request. */
export interface RequestFacts {
  Variables: { requestId: string };
}

/** The one place where an error becomes a response. */
export function answerError(error: unknown, c: Context<RequestFacts>, log: Log): Response {
  const requestId = c.get("requestId");
  const { failure, headers } = failureOf(error, requestId, { log, store: "the store" });
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (failure.status === 401) c.header("www-authenticate", "Bearer");
  c.header("content-type", PROBLEM_MEDIA_TYPE);
  return c.body(JSON.stringify(problemOf(failure, requestId)), failure.status as ContentfulStatusCode);
}
