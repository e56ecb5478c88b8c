import type { StreamWatch } from "../streams/streams.ts";
import type { UpstreamWatch } from "../upstream/call-guard.ts";
import { createRegistry } from "./registry.ts";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8] as const;
const CIRCUIT_STATES = { closed: 0, "half-open": 1, open: 2 } as const;

/** What is read when the metrics are asked for. */
export interface Gauges {
  readonly streamsOpen: () => number;
  /** The state of each route's circuit, by operation. */
  readonly circuits: () => ReadonlyMap<string, keyof typeof CIRCUIT_STATES>;
}

/** Everything that is counted. Labels are route templates, statuses, codes and names of ours: never a value from outside. */
export interface Metrics extends StreamWatch {
  readonly upstream: UpstreamWatch;
  /** `ms` in milliseconds. */
  request(route: string, method: string, status: number, ms: number): void;
  rateLimited(limit: string): void;
  sessionStarted(): void;
  watch(gauges: Gauges): void;
  /** In Prometheus' text form. */
  text(): string;
}

export function createMetrics(): Metrics {
  const registry = createRegistry();
  const counter = (name: string, help: string) => registry.counter(name, help);
  const histogram = (name: string, help: string) => registry.histogram(name, help, SECONDS);
  const requests = counter("parley_http_requests_total", "Requests answered, by route template.");
  const seconds = histogram("parley_http_request_seconds", "Time to the answer's head.");
  const calls = counter("parley_upstream_calls_total", "Tries at the service, by outcome.");
  const callSeconds = histogram("parley_upstream_call_seconds", "Time of one try at the service.");
  const retries = counter("parley_upstream_retries_total", "Tries that repeat one which failed.");
  const refusals = counter("parley_upstream_credential_refused_total", "Refusals of the credential.");
  const limited = counter("parley_rate_limited_total", "Requests refused by a rate limit.");
  const sessions = counter("parley_sessions_started_total", "Sessions started.");
  const resets = counter("parley_stream_resets_total", "Streams told that their position is gone.");
  const duplicates = counter(
    "parley_duplicates_suppressed_total",
    "Events that came twice and went out once.",
  );
  return {
    upstream: {
      tried(operation, outcome, ms) {
        calls.add({ operation, outcome });
        callSeconds.observe(ms / 1000, { operation });
      },
      retried: (operation) => retries.add({ operation }),
      credentialRefused: () => refusals.add(),
    },
    request(route, method, status, ms) {
      requests.add({ route, method, status });
      seconds.observe(ms / 1000, { route });
    },
    rateLimited: (limit) => limited.add({ limit }),
    sessionStarted: () => sessions.add(),
    streamReset: (reason) => resets.add({ reason }),
    duplicateSuppressed: () => duplicates.add(),
    watch({ streamsOpen, circuits }) {
      registry.gauge("parley_streams_open", "Event streams open now.", () => [[{}, streamsOpen()]]);
      registry.gauge("parley_upstream_circuit", "0 closed, 1 half-open, 2 open.", () =>
        [...circuits()].map(([operation, state]) => [{ operation }, CIRCUIT_STATES[state]] as const),
      );
    },
    text: () => registry.text(),
  };
}
