import type { Secret } from "../../shared/server/secret.ts";

const HEADERS = {
  "content-type": "text/plain; version=0.0.4; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Answers `GET /metrics`, or gives undefined where the metrics are not for this request. */
export type MetricsDoor = (request: Request) => Response | undefined;

/** On the public port: to who has the token, and to everybody else as if it were not there. */
export function createMetricsDoor(text: () => string, token: Secret): MetricsDoor {
  return ({ method, headers }) => {
    const given = headers.get("authorization")?.match(/^Bearer +(\S+)$/i)?.[1];
    const isAsked = method === "GET" && given !== undefined && token.equals(given);
    return isAsked ? new Response(text(), { headers: HEADERS }) : undefined;
  };
}

/** On a port of its own, which an operator keeps inside: `/metrics` and nothing else. */
export function createMetricsApp(text: () => string): { fetch(request: Request): Response } {
  return {
    fetch({ method, url }) {
      const isAsked = method === "GET" && new URL(url).pathname === "/metrics";
      return isAsked ? new Response(text(), { headers: HEADERS }) : new Response(null, { status: 404 });
    },
  };
}
