import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { isOwnName } from "../../shared/server/origin.ts";
import type { Secret } from "../../shared/server/secret.ts";

/** The place where metrics are served: on their own port, on the chat's (`port`) with the token, or nowhere. */
export function readMetrics(reader: EnvironmentReader, port: number) {
  const token = reader.secret("METRICS_TOKEN", "METRICS_TOKEN_FILE=/run/secrets/metrics_token");
  const isAsked = reader.text("METRICS_PORT") !== undefined;
  const own = reader.integer("METRICS_PORT", { min: 1, max: 65_535, fallback: 9464 });
  if (isAsked && own === port) {
    reader.refuse({
      name: "METRICS_PORT",
      fault: "is the port of the chat itself: metrics are not for everybody.",
      example: "METRICS_PORT=9464",
    });
  }
  return { port: isAsked ? own : undefined, token };
}

/**
 * Answers `GET /metrics`; undefined for any other request, and where a token is needed that is missing or wrong.
 *
 * @param token undefined on a port of its own, which the operator does not publish. There the `Host` must be an address, a
 * name without a dot, or `host`: so no page in an operator's browser can read the metrics.
 */
export function createMetricsDoor(text: () => Promise<string>, token?: Secret, host?: string) {
  return async ({ method, url, headers }: Request): Promise<Response | undefined> => {
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
