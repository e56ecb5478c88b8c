/** Headers of every answer of `/api` and of the health checks. */
const API = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
} as const;

const JSON_API = { ...API, "content-type": "application/json" } as const;
const PROBLEM_API = { ...API, "content-type": "application/problem+json" } as const;
const EVENTS_API = {
  ...API,
  "content-type": "text/event-stream",
  // nginx and other proxies would hold events back to fill a buffer.
  "x-accel-buffering": "no",
} as const;

/** Headers of one answer besides those of its class. Adding one to a finished Response costs a third of a request. */
export type MoreHeaders = Readonly<Record<string, string>>;

/** An answer of the API; constant headers are prepared once. */
export function jsonAnswer(
  status: number,
  body: unknown,
  requestId: string,
  more: MoreHeaders = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...JSON_API, ...more, "x-request-id": requestId },
  });
}

export function eventsAnswer(
  body: ReadableStream<Uint8Array>,
  requestId: string,
  more: MoreHeaders = {},
): Response {
  return new Response(body, { status: 200, headers: { ...EVENTS_API, ...more, "x-request-id": requestId } });
}

/** A customer's file, which browsers save and never open as a page or as another type. */
export function fileAnswer(
  body: ReadableStream<Uint8Array>,
  mediaType: string,
  requestId: string,
  more: MoreHeaders = {},
): Response {
  const file = {
    "content-type": mediaType,
    "content-disposition": "attachment",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
  return new Response(body, {
    status: 200,
    headers: { ...API, ...file, ...more, "x-request-id": requestId },
  });
}

export function problemAnswer(
  status: number,
  body: unknown,
  requestId: string,
  more: MoreHeaders = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...PROBLEM_API, ...more, "x-request-id": requestId },
  });
}
