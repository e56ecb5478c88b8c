import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { API_OPERATIONS } from "../../shared/api/operations.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const CIRCUIT_STATES = { closed: 0, "half-open": 1, open: 2 } as const;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The metrics of this process; each call has its own registry. Labels are route templates, statuses, codes and names of
 * ours, never a value from outside: a client can't create series. All times are milliseconds.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const requests = counter(
    "parley_http_requests_total",
    "Requests answered, by route template.",
    "route",
    "method",
    "status",
  );
  const seconds = histogram("parley_http_request_seconds", "Time to the answer's head.", "route");
  const calls = counter(
    "parley_upstream_calls_total",
    "Tries at the service, by outcome.",
    "operation",
    "outcome",
  );
  const callSeconds = histogram(
    "parley_upstream_call_seconds",
    "Time of one try at the service.",
    "operation",
  );
  const retries = counter("parley_upstream_retries_total", "Tries that repeat a failed one.", "operation");
  const refusals = counter("parley_upstream_credential_refused_total", "Refusals of the credential.");
  const limited = counter("parley_rate_limited_total", "Requests refused by a rate limit.", "limit");
  const sessions = counter("parley_sessions_started_total", "Sessions started.");
  const resets = counter("parley_stream_resets_total", "Streams whose position was gone.", "reason");
  const duplicates = counter("parley_duplicates_suppressed_total", "Events that came twice, sent once.");
  // Prometheus notices a series that begins with 1 only at its next increase, and alerts must notice the first one.
  for (const { id } of V1_CONTRACT) calls.inc({ operation: id, outcome: "not_confirmed" }, 0);
  for (const { path, method } of API_OPERATIONS) requests.inc({ route: path, method, status: 500 }, 0);
  resets.inc({ reason: "position_gone" }, 0);
  return {
    upstream: {
      /** One try at the service. `outcome` is `ok` or a failure's code. */
      tried(operation: string, outcome: string, ms: number): void {
        calls.inc({ operation, outcome });
        callSeconds.observe({ operation }, ms / 1000);
      },
      retried: (operation: string) => retries.inc({ operation }),
      credentialRefused: () => refusals.inc(),
    },
    request(route: string, method: string, status: number, ms: number): void {
      requests.inc({ route, method, status });
      seconds.observe({ route }, ms / 1000);
    },
    rateLimited: (limit: string) => limited.inc({ limit }),
    sessionStarted: () => sessions.inc(),
    streamReset: (reason: string) => resets.inc({ reason }),
    duplicateSuppressed: () => duplicates.inc(),
    /** Adds values that are read when the metrics are collected. */
    watch(streamsOpen: () => number, circuits: () => ReadonlyMap<string, keyof typeof CIRCUIT_STATES>): void {
      new Gauge({
        name: "parley_streams_open",
        help: "Event streams open now.",
        registers,
        collect() {
          this.set(streamsOpen());
        },
      });
      new Gauge({
        name: "parley_upstream_circuit",
        help: "0 closed, 1 half-open, 2 open.",
        labelNames: ["operation"],
        registers,
        collect() {
          for (const [operation, state] of circuits()) this.set({ operation }, CIRCUIT_STATES[state]);
        },
      });
    },
    /** All metrics in Prometheus' text format 0.0.4. */
    text: () => registry.metrics(),
  };
}
