import type { Context, MiddlewareHandler } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestContext, RequestContexts } from "../request/request-context.ts";
import { newTrace, parseTraceparent } from "../request/trace.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Limits } from "./limits.ts";
import { problemFor } from "./on-error.ts";
import type { OriginGate } from "./origin-gate.ts";
import { rateHeaders } from "./rate-limit.ts";

/** Variables that the gate and the runner set on a request. */
export interface GateEnv {
  Variables: { requestId: string; route: string; who: string };
}

export interface GateDeps {
  readonly checkOrigin: OriginGate;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly trustedProxies: number;
  readonly random: Random;
  readonly contexts: RequestContexts;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** A browser gives up after 10 s. It gets our own answer before that, whatever the service does. */
const WHOLE_MS = 9500;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/**
 * The outermost middleware of `/api`: gives a request its id, checks its origin, and afterwards logs and counts it. HEAD
 * is refused, because the router would run GET for it and drop the answer.
 */
export function createGate(deps: GateDeps): MiddlewareHandler<GateEnv> {
  const { checkOrigin, clock, log, contexts } = deps;
  return async (c, next) => {
    const requestId = deps.newRequestId();
    const startedAt = clock.now();
    c.set("requestId", requestId);
    const { method, headers } = c.req.raw;
    let context: RequestContext | undefined;
    try {
      context = contextOf(c, deps, requestId, startedAt + WHOLE_MS);
      checkOrigin({
        method,
        origin: headers.get("origin") ?? undefined,
        fetchSite: headers.get("sec-fetch-site") ?? undefined,
      });
      if (!METHODS.has(method)) throw new Failure("method_not_allowed");
      await contexts.run(context, next);
    } catch (error) {
      c.res = problemFor(error, requestId, log, rateHeaders(context?.uses ?? []));
    }
    finish(c, deps, context, clock.now() - startedAt);
  };
}

function contextOf(
  c: Context<GateEnv>,
  { random }: GateDeps,
  requestId: string,
  endsAt: number,
): RequestContext {
  const { headers } = c.req.raw;
  return {
    requestId,
    trace: parseTraceparent(headers.get("traceparent") ?? undefined) ?? newTrace(random),
    endsAt,
    // A function, because creating the signal costs more than the rest of this and few calls can be ended.
    gone: () => c.req.raw.signal,
    calls: 0,
    outcome: undefined,
    uses: [],
  };
}

/** Logs and counts a request whose answer is ready. */
function finish(
  c: Context<GateEnv>,
  { log, metrics }: GateDeps,
  context: RequestContext | undefined,
  ms: number,
): void {
  const { status } = c.res;
  const method = METHODS.has(c.req.raw.method) ? c.req.raw.method : "other";
  const route = c.get("route") ?? "none";
  const { trace, calls, outcome } = context ?? {};
  if (context) {
    // An event stream goes on after its answer; its own signals end it.
    context.endsAt = undefined;
    context.gone = undefined;
  }
  if (status === 201 && route === "/api/session") metrics.sessionStarted();
  metrics.request(route, method, status, ms);
  const line = { requestId: c.get("requestId"), traceId: trace?.traceId, method, route, status, ms };
  log.info({ ...line, who: c.get("who"), calls: calls || undefined, outcome }, "request");
}
