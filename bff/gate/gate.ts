import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { clientAddress } from "../../shared/server/client-address.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { readBody } from "../../shared/server/read-body.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestContext, RequestContexts } from "../request-context.ts";
import type { Exchange, Route } from "../route.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import type { Random } from "../sessions/token.ts";
import type { Limits } from "./limits.ts";
import { problemFor } from "./on-error.ts";
import type { OriginGate } from "./origin-gate.ts";
import { rateHeaders } from "./rate-limit.ts";
import { newTrace, parseTraceparent } from "./trace.ts";
import { readUpload } from "./upload.ts";

/** What the gate leaves on a request for those behind it. */
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

/** A browser waits 10 s: it gets our own answer before it gives up, whatever the service does. */
const WHOLE_MS = 9500;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/**
 * The first thing that a request below `/api` meets: an id, the origin gate, and afterwards its log line and its place in
 * the metrics. HEAD is refused: the router would run GET for it and drop the answer.
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
      context = contextOf(c, deps, startedAt + WHOLE_MS);
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

function contextOf(c: Context<GateEnv>, { random }: GateDeps, endsAt: number): RequestContext {
  const { headers } = c.req.raw;
  return {
    trace: parseTraceparent(headers.get("traceparent") ?? undefined) ?? newTrace(random),
    endsAt,
    // Asked for only where a call can be ended: making the signal costs more than the rest of this.
    gone: () => c.req.raw.signal,
    calls: 0,
    outcome: undefined,
    uses: [],
  };
}

/** The answer is made: its line in the log and its place in the metrics. */
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
    // What a stream does from now on is bound by its own signals, not by this request's.
    context.endsAt = undefined;
    context.gone = undefined;
  }
  if (status === 201 && route === "/api/session") metrics.sessionStarted();
  metrics.request(route, method, status, ms);
  const line = { requestId: c.get("requestId"), traceId: trace?.traceId, method, route, status, ms };
  log.info({ ...line, who: c.get("who"), ...(calls ? { calls, outcome } : {}) }, "request");
}

/** Ties the lines of one customer together without naming anybody. */
function whoIs({ customer }: Session): string {
  return createHash("sha256").update(customer.externalId).digest("base64url").slice(0, 12);
}

/** What counts as a message sent, whichever way it goes. */
const SENDS: ReadonlySet<string> = new Set([
  "/api/conversation",
  "/api/conversation/messages",
  "/api/conversation/attachments",
]);

/** Runs one route behind the gate: its session, then its body, then its handler. Everything fails closed. */
export function createRunner({ sessions, trustedProxies, limits, contexts }: GateDeps, route: Route) {
  const { operation } = route;
  return async (c: Context<GateEnv>): Promise<Response> => {
    c.set("route", operation.path);
    const { headers } = c.req.raw;
    const authorization = headers.get("authorization") ?? undefined;
    let session: Session | undefined;
    if (
      operation.session === "required" ||
      (operation.session === "optional" && authorization !== undefined)
    ) {
      session = await sessions.find(authorization);
      c.set("who", whoIs(session));
    }
    const body = operation.request === undefined ? undefined : await readBody(c.req.raw, operation.request);
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined;
    const address = clientAddress(socketAddress(c.env), forwardedFor, trustedProxies);
    if (session && operation.method === "POST" && SENDS.has(operation.path))
      await limits.sendOf({ session, address });
    const upload = operation.upload ? await readUpload(c.req.raw) : undefined;
    const exchange = {
      operation,
      upload,
      id: operation.path.includes(":id") ? readId(c) : "",
      requestId: c.get("requestId"),
      session,
      bearer: session && authorization?.slice("Bearer ".length).trim(),
      body,
      address,
      lastEventId: headers.get("last-event-id") ?? undefined,
      origin: headers.get("origin") ?? undefined,
      query: (name: string) => c.req.query(name),
      more: () => rateHeaders(contexts.current()?.uses ?? []),
    };
    // `readBody` parsed with this operation's own schema, and `session` is there where the operation requires it.
    return route.handle(exchange as unknown as Exchange);
  };
}

/** An id that could not be one is answered as one that is not there. */
function readId(c: Context<GateEnv>): string {
  const id = Id.safeParse(c.req.param("id"));
  if (!id.success) throw new Failure("not_found");
  return id.data;
}

/** The connection's address, as @hono/node-server gives it; a test may give the same form. */
function socketAddress(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}
