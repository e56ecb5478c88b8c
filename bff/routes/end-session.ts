import { endSession } from "../../shared/api/session.ts";
import type { RouteDeps } from "./deps.ts";
import { respondOwn, route } from "./exchange.ts";

/** Logout: the row is gone and the streams are closed before this answers. */
export function createEndSession({ sessions, streams }: Pick<RouteDeps, "sessions" | "streams">) {
  return route(endSession, async (exchange) => {
    await sessions.revoke(exchange.session);
    streams.closeSession(exchange.session.id);
    return respondOwn(exchange, { revoked: true });
  });
}
