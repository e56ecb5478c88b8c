import type { Context, MiddlewareHandler } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Exchange, Route } from "../route.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import { readBody } from "./body.ts";
import { clientAddress } from "./client-address.ts";
import { problemFor } from "./on-error.ts";
import type { OriginGate } from "./origin-gate.ts";

/** What the gate leaves on a request for those behind it. */
export interface GateEnv {
  Variables: { requestId: string; route: string };
}

export interface GateDeps {
  readonly checkOrigin: OriginGate;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly trustedProxies: number;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/**
 * The first thing that a request below `/api` meets: an id, the origin gate, and afterwards its log line: route template,
 * method, status and time, nothing else (R77). HEAD is refused: the router would run GET for it and drop the answer.
 */
export function createGate({ checkOrigin, clock, log, newRequestId }: GateDeps): MiddlewareHandler<GateEnv> {
  return async (c, next) => {
    const requestId = newRequestId();
    const startedAt = clock.now();
    c.set("requestId", requestId);
    const { method, headers } = c.req.raw;
    try {
      checkOrigin({
        method,
        origin: headers.get("origin") ?? undefined,
        fetchSite: headers.get("sec-fetch-site") ?? undefined,
      });
      if (!METHODS.has(method)) throw new Failure("method_not_allowed");
      await next();
    } catch (error) {
      c.res = problemFor(error, requestId, log);
    }
    const { status } = c.res;
    const route = c.get("route") ?? "none";
    log.info({ requestId, method, route, status, ms: clock.now() - startedAt }, "request");
  };
}

/** Runs one route behind the gate: its session, then its body, then its handler. Everything fails closed (R10). */
export function createRunner({ sessions, trustedProxies }: GateDeps, route: Route) {
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
    }
    const body = operation.request === undefined ? undefined : await readBody(c.req.raw, operation.request);
    const exchange = {
      operation,
      requestId: c.get("requestId"),
      session,
      bearer: session && authorization?.slice("Bearer ".length).trim(),
      body,
      address: clientAddress(
        socketAddress(c.env),
        headers.get("x-forwarded-for") ?? undefined,
        trustedProxies,
      ),
      lastEventId: headers.get("last-event-id") ?? undefined,
    };
    // `readBody` parsed with this operation's own schema, and `session` is there where the operation requires it.
    return route.handle(exchange as unknown as Exchange);
  };
}

/** The connection's address, as @hono/node-server gives it; a test may give the same form. */
function socketAddress(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}
