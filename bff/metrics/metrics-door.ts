import type { Secret } from "../../shared/server/secret.ts";

const HEADERS = {
  "content-type": "text/plain; version=0.0.4; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

type Text = () => Promise<string>;

/**
 * Answers `GET /metrics` on the public port. Returns undefined where the token is missing or wrong, so that the address
 * looks like any other that is not there.
 */
export function createMetricsDoor(
  text: Text,
  token: Secret,
): (request: Request) => Promise<Response | undefined> {
  return async ({ method, headers }) => {
    const given = headers.get("authorization")?.match(/^Bearer +(\S+)$/i)?.[1];
    const isAllowed = method === "GET" && given !== undefined && token.equals(given);
    return isAllowed ? new Response(await text(), { headers: HEADERS }) : undefined;
  };
}

/** Answers `/metrics` and nothing else, for a port of its own that the operator does not publish. */
export function createMetricsApp(text: Text): { fetch(request: Request): Promise<Response> } {
  return {
    async fetch({ method, url }) {
      const isMetrics = method === "GET" && new URL(url).pathname === "/metrics";
      return isMetrics
        ? new Response(await text(), { headers: HEADERS })
        : new Response(null, { status: 404 });
    },
  };
}
