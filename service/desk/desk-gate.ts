import type { Context, MiddlewareHandler } from "hono";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { DESK_API, join, openLink, setUp, signIn } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { isOwnName } from "../../shared/server/origin.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import { type DeskSessions, isCsrfOf } from "./desk-sessions.ts";
import { readSessionCookie } from "./session-cookie.ts";

/** The only calls allowed without a session; everything else, known or not, needs one. */
const WITHOUT_SESSION = new Set(
  [setUp, signIn, openLink, join].map(({ method, path }) => `${method} ${DESK_API}${path}`),
);

/**
 * Checks every call of the desk. A call that changes something must come from the desk's own page (Origin, and the
 * session's CSRF token in a header), and every caller must have a live session. Fails closed.
 */
export function createDeskGate(deps: DeskDeps, sessions: DeskSessions): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    c.header("cache-control", "no-store");
    c.header("x-content-type-options", "nosniff");
    c.header("cross-origin-resource-policy", "same-origin");
    c.header("referrer-policy", "no-referrer");
    const reads = c.req.method === "GET" || c.req.method === "HEAD";
    if (!reads) requireOwnOrigin(c, deps.publicOrigin);
    if (!WITHOUT_SESSION.has(`${c.req.method} ${c.req.path}`)) {
      const token = readSessionCookie(c);
      if (token === undefined) throw new Failure("unauthenticated", { detail: "Sign in first." });
      const session = await sessions.use(token);
      if (!session) throw new Failure("session_expired", { detail: "You are signed out. Sign in again." });
      if (!reads && !isCsrfOf(session, c.req.header(CSRF_HEADER))) {
        throw new Failure("forbidden", { detail: "This page is out of date. Reload it." });
      }
      c.set("session", session);
      c.set("token", token);
    }
    await next();
  };
}

/**
 * Browsers send `Origin` with every change. Its host must be the one that was called (the scheme differs behind a proxy
 * that ends TLS) or, where a proxy replaces the host, that of the public address. Another site's page could call us
 * under its own name (DNS rebinding), so only the public name counts as ours.
 */
function requireOwnOrigin(c: Context, publicOrigin: string | undefined): void {
  const origin = URL.parse(c.req.header("origin") ?? "");
  const site = c.req.header("sec-fetch-site");
  const ours = publicOrigin === undefined ? null : URL.parse(publicOrigin);
  const isPublic = origin !== null && ours !== null && origin.origin === ours.origin;
  const isCalled =
    origin !== null &&
    origin.host !== "" &&
    origin.host === new URL(c.req.url).host &&
    (isOwnName(origin) || origin.host === ours?.host);
  if ((!isCalled && !isPublic) || (site !== undefined && site !== "same-origin")) {
    throw new Failure("origin_not_allowed", { detail: "Only the desk's own page can do this." });
  }
}
