import { Hono } from "hono";
import { Failure, problemOf } from "../shared/errors.ts";
import type { Clock } from "../shared/server/clock.ts";
import type { Log } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
import type { Config } from "./config.ts";
import { createLink } from "./conversation/link.ts";
import { createService } from "./conversation/service.ts";
import { createEdge, type Edge } from "./edge.ts";
import { createGate, type GateEnv } from "./gate/gate.ts";
import { jsonAnswer, problemAnswer } from "./gate/headers.ts";
import { problemFor } from "./gate/on-error.ts";
import { createOriginGate } from "./gate/origin-gate.ts";
import { rateHeaders } from "./gate/rate-limit.ts";
import { createReadiness, type Readiness } from "./health/readiness.ts";
import { createGivenKeys, type KeyRing } from "./identity/key-ring.ts";
import { createVerifyToken } from "./identity/verify-token.ts";
import { createFeeds } from "./less/feeds.ts";
import { createTurns, type Turns } from "./less/turns.ts";
import { createWholeService } from "./less/whole-service.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createMetricsDoor } from "./metrics/metrics-door.ts";
import {
  createEndConversation,
  createEraseConversation,
  createRateConversation,
} from "./routes/aftercare.ts";
import type { RouteDeps } from "./routes/deps.ts";
import { createStreamEvents } from "./routes/events.ts";
import type { Route } from "./routes/exchange.ts";
import { createReadAttachment, createUploadAttachment } from "./routes/files.ts";
import { createAnswerAction, createRequestHandoff } from "./routes/handoff.ts";
import {
  createMarkRead,
  createSendMessage,
  createStartConversation,
  createTellTyping,
} from "./routes/messages.ts";
import { createRunner } from "./routes/run-route.ts";
import {
  createEndSession,
  createIdentifySession,
  createReadConfig,
  createStartSession,
} from "./routes/session.ts";
import type { Routing } from "./routing/decide.ts";
import { createLiveRouting, type LiveRouting } from "./routing/live-routing.ts";
import { createPointers } from "./sessions/pointers.ts";
import { createSessions } from "./sessions/sessions.ts";
import type { StaticFiles } from "./static/load-files.ts";
import { describeLoader } from "./static/pinned-loader.ts";
import { createStaticSite } from "./static/static-site.ts";
import { createLocks } from "./store/locks.ts";
import type { Store } from "./store/store.ts";
import { createUsedTokens } from "./store/used-tokens.ts";
import { createStreams } from "./streams/streams.ts";
import { createUpstreamClient } from "./upstream/client.ts";
import { createAuthorize } from "./upstream/credential.ts";
import type { FetchApp } from "./upstream/fetch-transport.ts";
import type { Transport } from "./upstream/transport.ts";

export interface BffDeps {
  readonly config: Config;
  readonly version: string;
  readonly transport: Transport;
  readonly store: Store;
  readonly files: StaticFiles;
  readonly clock: Clock;
  readonly random: Random;
  readonly newRequestId: () => string;
  readonly log: Log;
  /** Whether support could answer a question now. */
  readonly support: Readiness;
  /** The embedded service: it answers `/v1`, `/hooks` and `/desk` of the same port. */
  readonly service?: FetchApp | undefined;
  /** Answers every other address. */
  readonly demo?: FetchApp | undefined;
  /** The site's keys, where an address gives them; other keys come from the configuration. */
  readonly identityKeys?: KeyRing | undefined;
  /** Shorter in tests: how long one call to the service may take, in milliseconds. */
  readonly upstreamTotalMs?: number;
}

export interface Bff {
  readonly app: Hono<GateEnv>;
  /** Routes conversations that start from now on by `routing`; those that run keep their route. */
  readonly reroute: (routing: Routing) => void;
  /** The metrics, for a port of their own. */
  metrics(): Promise<string>;
  /** Reports not ready, refuses new streams, and ends every stream with a time to come back. */
  drain(): void;
  /** Writes down what is pending and closes the store and the lines to the service. */
  close(): Promise<void>;
}

/** The backend-for-frontend, all of it: what it answers, in the order in which it is matched. */
export function createBff(deps: BffDeps): Bff {
  const { config, store, transport, clock, log } = deps;
  const routing = createLiveRouting(config.routing);
  const edge = createEdge(deps);
  const { metrics } = edge;
  const { routeDeps, turns } = createRouteDeps(deps, edge, routing);
  metrics.watch({ streamsOpen: () => routeDeps.streams.count, circuits: () => edge.guard.circuits() });
  const origins = [...new Set([...config.ownOrigins, ...config.allowedOrigins])];
  const gateDeps = {
    checkOrigin: createOriginGate(origins),
    sessions: routeDeps.sessions,
    clock,
    log,
    newRequestId: deps.newRequestId,
    trustedProxies: config.trustedProxies,
    random: deps.random,
    contexts: edge.contexts,
    limits: edge.limits,
    metrics,
  };
  let isDraining = false;
  const support = async () => [...edge.guard.reasons(), ...(await deps.support())];
  const ready = createReadiness({ store, support, clock, isDraining: () => isDraining });

  const app = new Hono<GateEnv>();
  app.onError((error, c) => {
    const more = rateHeaders(edge.contexts.current()?.uses ?? []);
    return problemFor(error, c.get("requestId") ?? deps.newRequestId(), log, more);
  });
  app.use("/api/*", createGate(gateDeps));
  mountApi(app, routesOf(routeDeps), (route) => createRunner(gateDeps, route));
  app.route(
    "/",
    createStaticSite({
      files: deps.files,
      version: deps.version,
      origins,
      isHttps: config.publicUrl?.startsWith("https:") ?? false,
    }),
  );
  mountHealth(app, ready, deps.newRequestId);
  mountMetrics(app, config, metrics);
  const { service, demo } = deps;
  if (service) {
    for (const path of ["/v1/*", "/hooks/*", "/desk", "/desk/*"])
      app.all(path, (c) => service.fetch(c.req.raw, c.env));
  }
  app.notFound((c) =>
    demo ? demo.fetch(c.req.raw, c.env) : problemFor(new Failure("not_found"), deps.newRequestId(), log),
  );

  return {
    app,
    reroute: (next) => routing.replace(next),
    metrics: () => metrics.text(),
    drain() {
      isDraining = true;
      routeDeps.streams.drain();
    },
    async close() {
      deps.identityKeys?.close();
      await turns.close();
      await routeDeps.sessions.close();
      await transport.close();
      await store.close();
    },
  };
}

/** One entry for each operation of the widget's contract. */
function routesOf(deps: RouteDeps): readonly Route[] {
  return [
    createReadConfig(deps),
    createStartSession(deps),
    createIdentifySession(deps),
    createEndSession(deps),
    createStartConversation(deps),
    createSendMessage(deps),
    createStreamEvents(deps),
    createRequestHandoff(deps),
    createAnswerAction(deps),
    createUploadAttachment(deps),
    createReadAttachment(deps),
    createRateConversation(deps),
    createMarkRead(deps),
    createTellTyping(deps),
    createEndConversation(deps),
    createEraseConversation(deps),
  ];
}

function createRouteDeps(
  deps: BffDeps,
  edge: Edge,
  routing: LiveRouting,
): { readonly routeDeps: RouteDeps; readonly turns: Turns } {
  const { config, store, clock, random, log } = deps;
  const upstream = createUpstreamClient({
    transport: deps.transport,
    authorize: createAuthorize(config.credentials),
    clock,
    log,
    guard: edge.guard,
    contexts: edge.contexts,
    ...(deps.upstreamTotalMs === undefined ? {} : { totalMs: deps.upstreamTotalMs }),
  });
  const onUpkeepFailure = () => log.warn({}, "the session store could not be kept up; trying again later");
  const { keys: source, policy } = config.identity;
  const keys = deps.identityKeys ?? (source?.kind === "given" ? createGivenKeys(source.keys) : undefined);
  const sessions = createSessions({
    store,
    clock,
    random,
    onUpkeepFailure,
    isKeyLive: (kid) => keys?.isLive(kid) ?? false,
    anonymousAllowed: policy === "optional",
  });
  const streams = createStreams({
    clock,
    sessions,
    jitter: edge.jitter,
    maxPerSession: config.limits.sessionStreams,
    placeOf: (address) => edge.limits.streamOf(address),
    watch: edge.metrics,
    store,
  });
  const feeds = createFeeds({ store, clock });
  const locks = createLocks(store, clock);
  keys?.onRemoved(() => streams.closeOver());
  const pointers = createPointers(store, clock);
  const turns = createTurns({ feeds, store, locks, clock, log, waitMs: deps.upstreamTotalMs });
  const link = createLink({
    upstream,
    service: createWholeService({
      service: createService({ upstream, sessions, clock, log }),
      feeds,
      turns,
      clock,
    }),
    sessions,
    pointers,
    locks,
    routing,
    closeStreams: (id) => streams.closeSession(id),
    clock,
    log,
  });
  const routeDeps = {
    link,
    upstream,
    sessions,
    pointers,
    locks,
    streams,
    verifyToken: createVerifyToken({
      keys,
      used: createUsedTokens(store, clock),
      siteId: config.siteId,
      clock,
    }),
    limits: edge.limits,
    publicConfig: {
      version: deps.version,
      loader: describeLoader(deps.files.loader, deps.version, config.ownOrigins[0]),
      siteId: config.siteId,
      identityPolicy: policy,
      ...(config.fallback ? { fallback: config.fallback } : {}),
    },
    routing,
    clock,
    random,
    log,
  };
  return { routeDeps, turns };
}

/** The fixed map of routes; every other address and method below `/api` is a problem document. */
function mountApi(
  app: Hono<GateEnv>,
  routes: readonly Route[],
  runnerOf: (route: Route) => ReturnType<typeof createRunner>,
): void {
  for (const route of routes) app.on(route.operation.method, route.operation.path, runnerOf(route));
  for (const [path, same] of Map.groupBy(routes, (route) => route.operation.path)) {
    const allow = same.map((route) => route.operation.method).join(", ");
    const failure = new Failure("method_not_allowed");
    app.all(path, (c) => {
      const requestId = c.get("requestId");
      return problemAnswer(failure.status, problemOf(failure, requestId), requestId, { allow });
    });
  }
  app.all("/api/*", () => {
    throw new Failure("not_found");
  });
}

/** On this port only with the token: an address that a guess finds says nothing. */
function mountMetrics(app: Hono<GateEnv>, { metrics: { token } }: Config, metrics: Metrics): void {
  if (token === undefined) return;
  const door = createMetricsDoor(() => metrics.text(), token);
  app.get("/metrics", async (c, next) => (await door(c.req.raw)) ?? (await next()));
}

function mountHealth(app: Hono<GateEnv>, ready: Readiness, newRequestId: () => string): void {
  app.get("/livez", () => jsonAnswer(200, { status: "ok" }, newRequestId()));
  app.get("/readyz", async () => {
    const reasons = await ready();
    const status = reasons.length === 0 ? "ok" : "unavailable";
    return jsonAnswer(reasons.length === 0 ? 200 : 503, { status, reasons }, newRequestId());
  });
}
