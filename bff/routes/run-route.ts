import { createHash } from "node:crypto";
import type { Context } from "hono";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { clientAddress } from "../../shared/server/client-address.ts";
import { readBody } from "../../shared/server/read-body.ts";
import { requireCarried } from "../conversation/carried.ts";
import type { GateDeps, GateEnv } from "../gate/gate.ts";
import { rateHeaders } from "../gate/rate-limit.ts";
import { readUpload } from "../gate/upload.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Exchange, Route } from "./exchange.ts";

/** A hash of each customer's id, once per session object: it joins the log lines of one customer without naming them. */
const hashes = new WeakMap<Session["customer"], string>();

function whoIs({ customer }: Session): string {
  const known = hashes.get(customer);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(customer.externalId).digest("base64url").slice(0, 12);
  hashes.set(customer, hash);
  return hash;
}

/** Runs one route after the gate: its session, its body, its limits, then its handler. Everything fails closed. */
export function createRunner({ sessions, trustedProxies, limits, contexts }: GateDeps, route: Route) {
  const { operation } = route;
  const { request, rate } = operation;
  const hasId = operation.path.includes(":id");
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
    const body = request === undefined ? undefined : await readBody(c.req.raw, request);
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined;
    const address = clientAddress(socketAddress(c.env), forwardedFor, trustedProxies);
    if (session) requireCarried(session, operation);
    if (session && rate) await limits.take(rate, { session, address });
    const upload = operation.upload ? await readUpload(c.req.raw) : undefined;
    const exchange = {
      operation,
      upload,
      id: hasId ? readId(c) : "",
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

/** An id of a wrong form is answered like one that does not exist. */
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
