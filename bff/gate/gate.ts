import type { Context, Handler } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { ForwardedWatch } from "../../shared/server/forwarded-watch.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestContext, RequestContexts, Who } from "../request/request-context.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Limits } from "./limits.ts";
import { problemFor } from "./on-error.ts";

export interface GateDeps {
  readonly checkOrigin: OriginGate;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly trustedProxies: number;
  readonly forwarded: ForwardedWatch;
  readonly contexts: RequestContexts;
  readonly limits: Limits;
  readonly fairStart: FairStart;
  readonly metrics: Metrics;
  readonly who: Who;
}

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
export function createGate(deps: GateDeps): (handle: Handle) => Handler {
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
    const { requestId, route, who, outcome, calls } = context;
    const { status } = response;
    const method = METHODS.has(c.req.raw.method) ? c.req.raw.method : "other";
    const ms = clock.now() - context.startedAt;
    if (status === 201 && route === "/api/session") metrics.sessionStarted();
    metrics.request(route, method, status, ms);
    log.info({ requestId, method, route, status, ms, who, calls: calls || undefined, outcome }, "request");
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

/** Throws for a request that no allowed page can have sent. */
type OriginGate = (request: Pick<Request, "method" | "headers">) => void;

/**
 * Refuses a request before its handler runs; CORS headers would only hide the answer. An `Origin` must be on the list,
 * byte for byte; `null` never is. A request that changes something must have one. A read may omit it if the browser
 * says same-origin, or if the client is not a browser.
 *
 * @throws Failure origin_not_allowed
 */
export function createOriginGate(origins: readonly string[]): OriginGate {
  const allowed: ReadonlySet<string> = new Set(origins);
  return ({ method, headers }) => {
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

/** Runs a request `most` rounds of the event loop after the one of its address before it. */
export type FairStart = <T>(address: string, run: () => Promise<T>, most?: number) => Promise<T>;

/** About as many as a message takes from its arrival to its answer. */
export const ROUNDS = 16;

/** The requests of one address. */
interface Line {
  readonly waiting: { readonly begin: () => void; readonly most: number }[];
  begun: number;
  /** Rounds of the event loop since the last one began or ended, counted while another one waits. */
  rounds: number;
}

/**
 * Lets the requests of each address begin one after another, so that a flood from one address delays the requests of
 * others by the work of about one request, and never by its whole queue. The rounds after an end give a request of
 * another address its whole way; rounds without work take microseconds. None waits for the end of a long one before it:
 * a request may wait for the service, and an office must not wait with it.
 */
export function createFairStart(): FairStart {
  const lines = new Map<string, Line>();
  /** Lines in which somebody waits. */
  const due = new Set<Line>();

  function nextRound(): void {
    for (const line of due) {
      line.rounds += 1;
      const [next] = line.waiting;
      if (next && line.rounds < next.most) continue;
      line.waiting.shift();
      line.rounds = 0;
      line.begun += 1;
      next?.begin();
      if (line.waiting.length === 0) due.delete(line);
    }
    if (due.size > 0) setImmediate(nextRound);
  }
  return async (address, run, most = ROUNDS) => {
    const before = lines.get(address);
    const line: Line = before ?? { waiting: [], begun: 1, rounds: 0 };
    if (before) {
      const turn = new Promise<void>((begin) => line.waiting.push({ begin, most }));
      if (due.size === 0) setImmediate(nextRound);
      due.add(line);
      await turn;
    } else lines.set(address, line);
    const mine = line.begun;
    try {
      return await run();
    } finally {
      // If another one did not wait for the end, it has the place now.
      if (line.begun === mine) {
        line.rounds = 0;
        if (line.waiting.length === 0) lines.delete(address);
      }
    }
  };
}
