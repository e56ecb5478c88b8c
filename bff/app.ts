import { Hono } from "hono";
import { Failure, type FailureCode } from "../shared/errors.ts";
import { errorFacts } from "../shared/server/log.ts";
import { jsonAnswer, problemFor } from "./gate/answers.ts";
import { createGate } from "./gate/gate.ts";
import { createReadiness } from "./health/readiness.ts";
import { createMetricsDoor } from "./metrics/metrics-door.ts";
import { type BffDeps, createParts, type Parts } from "./parts.ts";
import { conversationRoutes } from "./routes/conversation.ts";
import { createRunner } from "./routes/exchange.ts";
import { sessionRoutes } from "./routes/session.ts";
import { createStaticSite } from "./static/static-site.ts";

export type Bff = ReturnType<typeof createBff>;

/** The whole backend-for-frontend: its routes, in the order in which they are matched. */
export function createBff(deps: BffDeps) {
  const { config, store, log, newRequestId, service, demo } = deps;
  const parts = createParts(deps);
  const { metrics, guard, origins } = parts;
  let isDraining = false;
  const support = async () => [...guard.reasons(), ...(await deps.support())];
  const ready = createReadiness({ ...parts, support, isDraining: () => isDraining });

  const app = new Hono();
  app.onError((error) => problemFor(error, newRequestId(), log));
  const otherApi = mountApi(app, parts);
  app.route("/", createStaticSite({ ...deps, pinned: parts.pinned, origins }));
  const notes = () => [...parts.forwarded.notes(), ...(deps.supportNotes?.() ?? [])];
  app.get("/livez", () => jsonAnswer(200, { status: "ok" }, newRequestId()));
  app.get("/readyz", async (c) => {
    parts.forwarded.see(c.req.raw.headers);
    const reasons = await ready();
    const isReady = reasons.length === 0;
    const answer = { status: isReady ? "ok" : "unavailable", reasons, notes: notes() };
    return jsonAnswer(isReady ? 200 : 503, answer, newRequestId());
  });
  const { token } = config.metrics;
  if (token) {
    // Without the token the address looks like any other that is not there.
    const door = createMetricsDoor(metrics.text, token);
    app.get("/metrics", async (c, next) => (await door(c.req.raw)) ?? (await next()));
  }
  if (service) {
    for (const path of ["/v1/*", "/hooks/*", "/desk", "/desk/*"])
      app.all(path, (c) => {
        parts.forwarded.see(c.req.raw.headers);
        return service.fetch(c.req.raw, c.env);
      });
  }
  app.notFound((c) => {
    if (/^\/api(?:\/|$)/.test(c.req.path)) return otherApi.fetch(c.req.raw, c.env);
    return demo ? demo.fetch(c.req.raw, c.env) : problemFor(new Failure("not_found"), newRequestId(), log);
  });

  return {
    app,
    ready,
    /** Stores this version's loader, so that pages that pin it keep it after an upgrade. */
    storeLoader: () => parts.pinned.keep(),
    metrics: metrics.text,
    /** Reports not ready, refuses new streams, and ends every stream with a time to reconnect. */
    drain(): void {
      isDraining = true;
      parts.streams.drain();
    },
    /** Writes pending changes and closes the store and the connections to the service, each even if another fails. */
    async close(): Promise<void> {
      deps.identityKeys?.close();
      const { turns, sessions } = parts;
      const { transport } = deps;
      for (const [name, part] of Object.entries({ turns, sessions, transport, store })) {
        try {
          await part.close();
        } catch (error) {
          log.error({ part: name, ...errorFacts(error) }, "a part could not be closed");
        }
      }
    },
  };
}

/**
 * The fixed map of routes. Returns an app that answers every other address and method below `/api` with a problem
 * document. It is separate, because Hono calls a handler directly only if no other one matches.
 */
function mountApi(app: Hono, parts: Parts): Hono {
  const routes = [...sessionRoutes(parts), ...conversationRoutes(parts)];
  const gated = createGate(parts);
  for (const route of routes) {
    app.on(route.operation.method, route.operation.path, gated(createRunner(parts, route)));
  }
  const refuse = (code: FailureCode, more = {}) =>
    gated((_, { requestId }) => problemFor(new Failure(code), requestId, parts.log, more));
  const others = new Hono();
  for (const [path, same] of Map.groupBy(routes, (route) => route.operation.path)) {
    const allow = same.map((route) => route.operation.method).join(", ");
    others.all(path, refuse("method_not_allowed", { allow }));
  }
  others.all("/api/*", refuse("not_found"));
  return others;
}
