import type { Clock } from "../../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../../shared/server/log.ts";
import { ModelFault } from "./model-fault.ts";
import type { ModelServer } from "./model-server.ts";

/** One failure is no outage. */
const FAILURES = 3;
/** How often a server that is away is looked for. */
const LOOK_MS = 30_000;

export interface ServerHealth {
  /** Looks at every server once, and says what was reached. */
  start(stopping: AbortSignal): void;
  readonly onOutcome: (server: ModelServer, fault: ModelFault | undefined) => void;
  /** Why no server would answer now. */
  readonly unavailable: () => string | undefined;
  /** Why a server would not answer now, one sentence for each. */
  notes(): readonly string[];
}

/** Which servers are there. A server that fails repeatedly counts as away until a look finds it again. */
export function createServerHealth(
  servers: readonly ModelServer[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): ServerHealth {
  const away = new Map<ModelServer, string>();
  const failures = new Map<ModelServer, number>();
  /** A list of models does not show that the key and the model are right, so only an answer ends these. */
  const refusals = new Map<ModelServer, string>();
  const look = async (server: ModelServer, signal: AbortSignal) => {
    const { host, model } = server;
    try {
      const { base, status, fault, isUnlisted } = await server.probe(signal);
      if (isUnlisted) log.warn({ host, base, model }, "the model server does not list the model");
      if (fault === undefined) {
        // The next failure makes it away at once: no three customers have to try it again.
        away.delete(server);
        log.info({ host, base, status, model }, "the model server was reached");
        return;
      }
      away.set(server, fault);
      log.warn({ host, base, status, model }, "the model server was reached and will not answer");
    } catch (error) {
      if (signal.aborted) return;
      const isSlow = error instanceof ModelFault && error.code === "model_slow";
      const said = isSlow
        ? "the model server did not list its models in time"
        : "the model server can't be reached";
      log.warn({ host, model, ...errorFacts(error) }, said);
      // This process may be the busy one, as at its start: its timer then comes before an answer that waits unread.
      if (isSlow) return;
      away.set(server, `${server.name} can't be reached.`);
    }
  };
  return {
    start(stopping) {
      for (const server of servers) void look(server, stopping);
      const stop = clock.every(LOOK_MS, () => {
        for (const server of away.keys()) void look(server, stopping);
      });
      stopping.addEventListener("abort", stop, { once: true });
    },
    onOutcome(server, fault) {
      if (fault === undefined) {
        failures.delete(server);
        away.delete(server);
        refusals.delete(server);
        return;
      }
      const { host, model } = server;
      const { code, status } = fault;
      log.warn({ host, code, status }, "the model server gave no answer");
      if (fault.isRefusedQuestion) return;
      const isRefused = status === 401 || status === 403 || status === 404;
      const sentence = isRefused
        ? `${server.name} answered ${status}: check its key and the model ${model}.`
        : `${server.name} gives no answers: ${fault.message}`;
      if (isRefused) refusals.set(server, sentence);
      const count = (failures.get(server) ?? 0) + 1;
      failures.set(server, count);
      if (count >= FAILURES) away.set(server, sentence);
    },
    unavailable() {
      return servers.every((server) => away.has(server)) ? [...away.values()].join(" ") : undefined;
    },
    notes: () => servers.flatMap((server) => away.get(server) ?? refusals.get(server) ?? []),
  };
}
