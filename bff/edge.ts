import type { Clock } from "../shared/server/clock.ts";
import type { Log } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
import type { Config } from "./config.ts";
import { createLimits, type Limits } from "./gate/limits.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { createRequestContexts, type RequestContexts } from "./request/request-context.ts";
import type { UseCounts } from "./store/use-counts.ts";
import { type CallGuard, createCallGuard } from "./upstream/call-guard.ts";

/** Everything that surrounds requests and calls: contexts, metrics, limits and retries. */
export interface Edge {
  readonly contexts: RequestContexts;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly guard: CallGuard;
  /** 0 ≤ x < 1. */
  readonly jitter: () => number;
}

export function createEdge(deps: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly store: UseCounts;
}): Edge {
  const { config, clock, log, random, store } = deps;
  const contexts = createRequestContexts(random);
  const metrics = createMetrics();
  const jitter = () => (random(1)[0] ?? 0) / 256;
  const limits = createLimits({ clock, counts: store }, config.limits, (use) => {
    contexts.current()?.uses.push(use);
    if (use.isRefused) metrics.rateLimited(use.rule.name);
  });
  const guard = createCallGuard({
    clock,
    log,
    jitter,
    provenByApplication: (operation) => config.credentials.schemes[operation] === "application",
    watch: {
      ...metrics.upstream,
      tried(operation, outcome, ms) {
        const context = contexts.current();
        if (context) context.outcome = outcome;
        metrics.upstream.tried(operation, outcome, ms);
      },
    },
  });
  return { contexts, metrics, limits, guard, jitter };
}
