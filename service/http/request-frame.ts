import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import { createId } from "../ids.ts";
import type { RequestFacts } from "./problems.ts";

/** A caller's id, which links its logs with ours. Other characters could forge a log entry. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The outermost middleware: a request id, headers for every answer, and one log entry with the route's template. */
export function createRequestFrame(deps: {
  clock: Clock;
  random: Random;
  log: Log;
}): MiddlewareHandler<RequestFacts> {
  return async (c, next) => {
    const began = deps.clock.now();
    const given = c.req.header("x-request-id");
    const requestId = given && SANE_REQUEST_ID.test(given) ? given : createId("req", began, deps.random);
    c.set("requestId", requestId);
    // Set before the route: Hono copies a finished answer, with its body, for each header. A route's own value wins.
    c.header("x-request-id", requestId);
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    await next();
    deps.log.info(
      {
        requestId,
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        ms: deps.clock.now() - began,
      },
      "request",
    );
  };
}
