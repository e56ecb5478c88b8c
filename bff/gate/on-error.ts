import { problemOf } from "../../shared/errors.ts";
import { failureOf } from "../../shared/server/failure-of.ts";
import type { Log } from "../../shared/server/log.ts";
import { type MoreHeaders, problemAnswer } from "./headers.ts";

export function problemFor(error: unknown, requestId: string, log: Log, more: MoreHeaders = {}): Response {
  const { failure, headers } = failureOf(error, requestId, { log, store: "the session store" });
  return problemAnswer(failure.status, problemOf(failure, requestId), requestId, { ...more, ...headers });
}
