import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import { createId } from "../ids.ts";
import type { RequestFacts } from "./problems.ts";

/** A caller's id joins its logs with ours. Other characters could forge a log entry. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** The outermost middleware: a request id, the headers of every answer, and one log entry with the route's template. */
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
    await next();
    // After the route: an answer that was made as it stands takes no header that was set before it.
    c.header("x-request-id", requestId);
    c.header("x-content-type-options", "nosniff");
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
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
