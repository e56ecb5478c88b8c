import type { Context, Handler } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestContext, RequestContexts } from "../request/request-context.ts";
import { problemFor } from "./answers.ts";
import type { Limits } from "./limits.ts";

/** A browser gives up after 10 s. We answer before that, whatever the service does. */
const WHOLE_MS = 9500;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/** Answers one request of `/api` that the gate let in; what it throws becomes a problem document. */
export type Handle = (c: Context, context: RequestContext) => Response | Promise<Response>;

/**
 * Wraps every handler of `/api`: gives a request its id, checks its origin, and afterwards logs and counts it. HEAD is
 * refused, because the router would run GET for it and drop the answer. A wrapper and no middleware, because Hono calls
 * a single handler directly, without a chain.
 */
export function createGate(deps: {
  readonly checkOrigin: ReturnType<typeof createOriginGate>;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly contexts: RequestContexts;
  readonly limits: Limits;
  readonly metrics: Metrics;
}): (handle: Handle) => Handler {
  const { checkOrigin, clock, log, contexts, limits, metrics, newRequestId } = deps;

  async function answer(c: Context, context: RequestContext, handle: Handle): Promise<Response> {
    let response: Response;
    try {
      checkOrigin(c.req.raw);
      if (!METHODS.has(c.req.raw.method)) throw new Failure("method_not_allowed");
      response = await handle(c, context);
    } catch (error) {
      response = problemFor(error, context.requestId, log, limits.headers());
    }
    // An event stream continues after its response started; its own signals end it.
    context.endsAt = undefined;
    context.gone = undefined;
    const { route, who, outcome, calls } = context;
    const { status } = response;
    const method = METHODS.has(c.req.raw.method) ? c.req.raw.method : "other";
    const ms = clock.now() - context.startedAt;
    if (status === 201 && route === "/api/session") metrics.sessionStarted();
    metrics.request(route, method, status, ms);
    log.info({ method, route, status, ms, who, calls: calls || undefined, outcome }, "request");
    return response;
  }

  return (handle) => (c) => {
    const startedAt = clock.now();
    const context: RequestContext = {
      startedAt,
      requestId: newRequestId(),
      route: "none",
      who: undefined,
      endsAt: startedAt + WHOLE_MS,
      // A function, because creating the signal costs more than the rest of this and few calls can be ended.
      gone: () => c.req.raw.signal,
      calls: 0,
      outcome: undefined,
      tightest: undefined,
    };
    return contexts.run(context, () => answer(c, context, handle));
  };
}

/**
 * Refuses a request that no allowed page can have sent; CORS headers would only hide the answer. An `Origin` must be on
 * the list, byte for byte; `null` never is. A request that changes something must have one. A read may omit it if the
 * browser says same-origin, or if the client is not a browser.
 *
 * @throws Failure origin_not_allowed
 */
export function createOriginGate(origins: readonly string[]) {
  const allowed: ReadonlySet<string> = new Set(origins);
  return ({ method, headers }: Pick<Request, "method" | "headers">): void => {
    const origin = headers.get("origin");
    if (origin !== null) {
      if (!allowed.has(origin)) throw new Failure("origin_not_allowed");
      return;
    }
    const fetchSite = headers.get("sec-fetch-site");
    const isSafe = method === "GET" || method === "HEAD";
    if (!isSafe || (fetchSite !== null && fetchSite !== "same-origin")) {
      throw new Failure("origin_not_allowed");
    }
  };
}
