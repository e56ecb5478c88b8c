import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../shared/server/clock.ts";
import { createFairStart } from "../shared/server/fair-start.ts";
import { createForwardedWatch } from "../shared/server/forwarded-watch.ts";
import { type Log, logWith } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
import type { Config } from "./config.ts";
import { createLink } from "./conversation/link.ts";
import { createReadBounds } from "./conversation/read-bounds.ts";
import { createReferences } from "./conversation/references.ts";
import { createServiceClient } from "./conversation/service.ts";
import { createOriginGate } from "./gate/gate.ts";
import { createLimits } from "./gate/limits.ts";
import type { Readiness } from "./health/readiness.ts";
import { createGivenKeys, type KeyRing } from "./identity/key-ring.ts";
import { createVerifyToken } from "./identity/verify-token.ts";
import { createFeeds } from "./less/feeds.ts";
import { createTurns } from "./less/turns.ts";
import { createWholeService } from "./less/whole-service.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createWho, type RequestContext } from "./request/request-context.ts";
import { createPointers } from "./sessions/pointers.ts";
import { createSessions } from "./sessions/sessions.ts";
import type { StaticFiles } from "./static/load-files.ts";
import { createPinnedLoaders } from "./static/pinned-loaders.ts";
import { createLocks } from "./store/locks.ts";
import type { Store } from "./store/store.ts";
import { createStreams } from "./streams/streams.ts";
import { createCallGuard } from "./upstream/call-guard.ts";
import { createUpstreamClient } from "./upstream/client.ts";
import { createAuthorize } from "./upstream/credential.ts";
import { createReadEvent } from "./upstream/event-source.ts";
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
  /** Faults of the embedded service that do not stop it, for the notes of `/readyz`. */
  readonly supportNotes?: (() => readonly string[]) | undefined;
  /** The embedded service: it answers `/v1`, `/hooks` and `/desk` of the same port. */
  readonly service?: FetchApp | undefined;
  /** Answers every other address. */
  readonly demo?: FetchApp | undefined;
  /** The site's keys, where an address gives them; other keys come from the configuration. */
  readonly identityKeys?: KeyRing | undefined;
  /** Shorter in tests: how long one call to the service may take, in milliseconds. */
  readonly upstreamTotalMs?: number;
}

/** The parts that the gate and the routes work with. */
export type Parts = ReturnType<typeof createParts>;

/** Makes the parts of one process, each after those that it works with. */
export function createParts(deps: BffDeps) {
  const { config, store, clock, random, newRequestId } = deps;
  const { siteId, trustedProxies, routing } = config;
  const metrics = createMetrics();
  const contexts = new AsyncLocalStorage<RequestContext>();
  const log = logWith(deps.log, () => ({ requestId: contexts.getStore()?.requestId }));
  const limits = createLimits({ clock, counts: store, contexts }, config.limits, metrics.rateLimited);
  const jitter = () => (random(1)[0] ?? 0) / 256;
  const { schemes } = config.credentials;
  const guard = createCallGuard({ clock, log, jitter, schemes, watch: metrics.upstream });
  const pointers = createPointers(store, clock, (externalId) => streams.closeCustomer(externalId));
  const locks = createLocks(store, clock);
  const readEvent = createReadEvent(log);
  const base = { clock, random, log, store, contexts, limits, guard, jitter, routing, pointers, locks };
  const upstream = createUpstreamClient({
    ...base,
    transport: deps.transport,
    authorize: createAuthorize(config.credentials),
    ...(deps.upstreamTotalMs === undefined ? {} : { totalMs: deps.upstreamTotalMs }),
  });
  const { keys: source, policy } = config.identity;
  const keys = deps.identityKeys ?? (source?.kind === "given" ? createGivenKeys(source.keys) : undefined);
  const sessions = createSessions({
    ...base,
    onUpkeepFailure: () => log.warn({}, "the last use of sessions could not be stored; trying again later"),
    isKeyLive: (kid) => keys?.isLive(kid) ?? false,
    anonymousAllowed: policy === "optional",
  });
  const streams = createStreams({ ...base, sessions, watch: metrics });
  metrics.watch(streams.count, guard.circuits);
  const feeds = createFeeds(base);
  const turns = createTurns({ ...base, readEvent, feeds, waitMs: deps.upstreamTotalMs });
  const service = createServiceClient({ ...base, readEvent, upstream, sessions });
  const link = createLink({
    ...base,
    upstream,
    sessions,
    service: createWholeService({ ...base, service, feeds, turns }),
    readBounds: createReadBounds(),
    references: createReferences(store, random),
  });
  const pinned = createPinnedLoaders({ ...base, loader: deps.files.loader, version: deps.version });
  // Own origins may show the panel too: the demo shop is on one.
  const origins = [...new Set([...config.ownOrigins, ...config.allowedOrigins])];
  return {
    ...base,
    metrics,
    upstream,
    sessions,
    streams,
    turns,
    link,
    pinned,
    origins,
    newRequestId,
    trustedProxies,
    forwarded: createForwardedWatch(config.isProxyCountUnset, log),
    fairStart: createFairStart(),
    checkOrigin: createOriginGate(origins),
    who: createWho(store, random),
    verifyToken: createVerifyToken({ keys, store, siteId, clock }),
    publicConfig: {
      version: deps.version,
      loader: pinned.describe(config.ownOrigins[0]),
      siteId,
      identityPolicy: policy,
      ...(config.fallback ? { fallback: config.fallback } : {}),
    },
  };
}
