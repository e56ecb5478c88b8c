import { problemOf } from "../../shared/errors.ts";
import { failureOf } from "../../shared/server/failure-of.ts";
import type { Log } from "../../shared/server/log.ts";

/** Headers of every answer of `/api` and of the health checks. */
const API = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
} as const;

/** Headers of one answer besides those of its class. Adding one to a finished Response costs a third of a request. */
export type MoreHeaders = Readonly<Record<string, string>>;

/** Constant headers are prepared once for each class of answer. */
function answers<Body>(own: MoreHeaders, encode: (body: Body) => BodyInit) {
  const constant = { ...API, ...own };
  return (status: number, body: Body, requestId: string, more: MoreHeaders = {}): Response =>
    new Response(encode(body), { status, headers: { ...constant, ...more, "x-request-id": requestId } });
}

const json = (body: unknown) => JSON.stringify(body);

export const jsonAnswer = answers({ "content-type": "application/json" }, json);

const problemAnswer = answers({ "content-type": "application/problem+json" }, json);

/** The problem document of an error; an unexpected one is logged. */
export function problemFor(error: unknown, requestId: string, log: Log, more: MoreHeaders = {}): Response {
  const { failure, headers } = failureOf(error, requestId, { log, store: "the session store" });
  return problemAnswer(failure.status, problemOf(failure, requestId), requestId, { ...more, ...headers });
}

/** The headers of an event stream, which is written to Node's own response. */
export const eventsHeaders = (requestId: string, more: MoreHeaders): MoreHeaders => ({
  ...API,
  "content-type": "text/event-stream",
  // nginx and other proxies would otherwise buffer events.
  "x-accel-buffering": "no",
  ...more,
  "x-request-id": requestId,
});

/** A customer's file, which browsers save and never open as a page or as another type. `more` has its media type. */
export const fileAnswer = answers(
  {
    "content-disposition": "attachment",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  },
  (body: ReadableStream<Uint8Array>) => body,
);
