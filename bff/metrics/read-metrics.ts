import type { EnvironmentReader } from "../../shared/server/environment.ts";

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
