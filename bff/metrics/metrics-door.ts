import { isOwnName } from "../../shared/server/origin.ts";
import type { Secret } from "../../shared/server/secret.ts";

/** Answers `GET /metrics`; undefined for any other request, and where a token is needed that is missing or wrong. */
export type MetricsDoor = (request: Request) => Promise<Response | undefined>;

/**
 * @param token undefined on a port of its own, which the operator does not publish. There the `Host` must be an address, a
 * name without a dot, or `host`: so no page in an operator's browser can read the metrics.
 */
export function createMetricsDoor(text: () => Promise<string>, token?: Secret, host?: string): MetricsDoor {
  return async ({ method, url, headers }) => {
    const given = headers.get("authorization")?.match(/^Bearer +(\S+)$/i)?.[1];
    const called = new URL(url);
    const isAllowed =
      token === undefined
        ? isOwnName(called) || called.hostname === host
        : given !== undefined && token.equals(given);
    if (!isAllowed || method !== "GET" || called.pathname !== "/metrics") return undefined;
    return new Response(await text(), {
      headers: {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  };
}
