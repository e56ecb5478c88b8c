import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DestinationStream, pino } from "pino";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { lockDataFolder } from "../shared/server/data-folder-lock.ts";
import { ConfigError, type Environment, type Fault } from "../shared/server/environment.ts";
import type { Log } from "../shared/server/log.ts";
import { makeFolder } from "../shared/server/make-folder.ts";
import { systemRandom } from "../shared/server/random.ts";
import { type Bff, createBff } from "./app.ts";
import { type Config, parseConfig } from "./config.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { problemFor } from "./gate/on-error.ts";
import { addressOf, greetingOf } from "./greeting.ts";
import { createRemoteReadiness } from "./health/readiness.ts";
import { type KeyRing, openKeyRing } from "./identity/key-ring.ts";
import { createMetricsApp } from "./metrics/metrics-door.ts";
import { logWarnings, reloadRouting } from "./routing/live-routing.ts";
import { findTargetFaults } from "./routing/settings.ts";
import { type Listening, listen } from "./server.ts";
import { loadStaticFiles, type StaticFiles } from "./static/load-files.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { createFetchTransport, type FetchApp } from "./upstream/fetch-transport.ts";
import { createPoolTransport } from "./upstream/pool-transport.ts";
import type { Transport } from "./upstream/transport.ts";

/** Requests that run when the process is told to stop get so long before the embedded service closes under them. */
const GRACE_MS = 1500;

/** Requests that come while the process starts are refused without a word in the log. */
const nothing = () => undefined;
const QUIET: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface Started {
  /** What to tell a person at the terminal. */
  readonly greeting: string;
  readonly log: Log;
  /** Reads the routing again from its files; a right one holds for new conversations, a faulty one changes nothing. */
  reloadRouting(): void;
  /** Not ready, streams told, requests finished, stores closed. */
  stop(): Promise<void>;
}

/**
 * Starts everything that `npm start` promises: the configuration is read whole, the build is there, the stores open, the
 * service stands, and only then the port is opened.
 *
 * @throws ConfigError; Error with one sentence for a missing build, a data folder or port that can't be used
 */
export async function start(options: {
  readonly env: Environment;
  /** The folder of package.json, with a slash at its end. */
  readonly root: string;
  readonly logTo: DestinationStream;
}): Promise<Started> {
  const { env, root, logTo } = options;
  const readFile = (path: string) => readFileSync(path, "utf8");
  const asked = await readConfig(env, readFile);
  const log = pino({ level: asked.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, logTo);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const files = loadStaticFiles(join(root, "dist"));
  if (needsFolder(asked)) makeDataDir(asked.dataDir);
  const store = await openStore(asked, { log });

  // The port first: a second start on the same folder must stop here, before it gives the service another credential.
  const { listening, serve } = await openPort(asked).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  let unlock: (() => void) | undefined;
  try {
    // Sessions in a shared store leave nothing in the folder that two BFFs could spoil for each other.
    if (asked.storeUrl === undefined) unlock = lockDataFolder(asked.dataDir, "BFF");
    const release = unlock;
    const { bff, service, config } = await assemble({ asked, env, log, store, files, version });
    serve(bff.app);
    const metrics = await listenForMetrics(config, bff);
    log.info({ version, embedded: service !== undefined, port: asked.port }, "listening");
    logWarnings(config.routing, log);
    const offered = service?.offered ?? {};
    return {
      greeting: greetingOf(config, service),
      log,
      reloadRouting: () => reloadRouting({ env, readFile, offered, replace: bff.reroute, log }),
      async stop() {
        await stop(listening, bff, service);
        await metrics?.stop();
        release?.();
      },
    };
  } catch (error) {
    unlock?.();
    await Promise.all([listening.stop(), store.close()]);
    throw error;
  }
}

/**
 * The configuration of all that this process will run.
 * @throws ConfigError with every fault of the BFF and of the service in this process at once
 */
async function readConfig(env: Environment, readFile: (path: string) => string): Promise<Config> {
  const faults: Fault[] = [];
  let config: Config | undefined;
  try {
    config = parseConfig(env, readFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  if (!env["BASE_URL"]?.trim()) {
    const { findServiceFaults } = await import("./embedded-service.ts");
    // Both read a few of the same variables: each is named once.
    const named = new Set(faults.map(({ name }) => name));
    faults.push(
      ...(await findServiceFaults(env, readFile, faults.length > 0)).filter(({ name }) => !named.has(name)),
    );
  }
  if (!config || faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Opens the port, which answers "unavailable" until it is told what to serve. */
async function openPort({
  host,
  port,
  trustedProxies,
  limits,
}: Config): Promise<{ listening: Listening; readonly serve: (app: FetchApp) => void }> {
  let app: FetchApp = { fetch: () => problemFor(new Failure("unavailable"), randomUUID(), QUIET) };
  const listening = await listen({
    app: { fetch: (request, peer) => app.fetch(request, peer) },
    host,
    port,
    clock: systemClock,
    maxPerAddress: trustedProxies === 0 ? limits.addressConnections : undefined,
  });
  return {
    listening,
    serve(next) {
      app = next;
    },
  };
}

/** Everything behind the port. */
async function assemble(parts: {
  asked: Config;
  env: Environment;
  log: Log;
  store: Store;
  files: StaticFiles;
  version: string;
}): Promise<{ bff: Bff; service: EmbeddedService | undefined; config: Config }> {
  const { asked, env, log, store, files, version } = parts;
  const service = asked.baseUrl === undefined ? await startService(asked, env, log) : undefined;
  const config = service?.config ?? asked;
  const transport = transportOf(config, service);
  const demo = service && config.publicUrl === undefined ? await loadDemo() : undefined;
  const identityKeys = await openIdentityKeys(config, log);
  const bff = createBff({
    config,
    version,
    transport,
    store,
    files,
    clock: systemClock,
    random: systemRandom,
    newRequestId: randomUUID,
    log,
    support: service?.support ?? createRemoteReadiness(transport, systemClock),
    ...(service ? { service: service.app } : {}),
    ...(demo ? { demo } : {}),
    ...(identityKeys ? { identityKeys } : {}),
  });
  return { bff, service, config };
}

/** The metrics on a port of their own, where METRICS_PORT names one; they are there until the rest has stopped. */
async function listenForMetrics({ metrics, host }: Config, bff: Bff): Promise<Listening | undefined> {
  if (metrics.port === undefined) return undefined;
  const app = createMetricsApp(() => bff.metrics());
  return listen({ app, host, port: metrics.port, clock: systemClock });
}

async function stop(listening: Listening, bff: Bff, service: EmbeddedService | undefined): Promise<void> {
  bff.drain();
  const stopped = listening.stop();
  // The desk's streams end with the service only; what else is running gets a moment to finish first.
  await Promise.race([stopped, new Promise<void>((resolve) => void systemClock.after(GRACE_MS, resolve))]);
  await service?.close();
  await stopped;
  await bff.close();
}

/** The keys behind an address; those that configuration holds need no opening. */
async function openIdentityKeys({ identity }: Config, log: Log): Promise<KeyRing | undefined> {
  if (identity.keys?.kind !== "address") return undefined;
  return openKeyRing({ url: identity.keys.url, fetch, clock: systemClock, log });
}

/** Whether anything is kept in the data folder: by the embedded store, or by the service in this process. */
function needsFolder({ storeUrl, baseUrl }: Config): boolean {
  return storeUrl === undefined || baseUrl === undefined;
}

function makeDataDir(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new Error(`The data folder ${path} can't be made. Check DATA_DIR and its permissions.`, { cause });
  }
}

function transportOf(config: Config, service: EmbeddedService | undefined): Transport {
  if (service) return createFetchTransport(service.app, { isQuiet: true });
  if (config.baseUrl === undefined) throw new Error("BASE_URL is unset and no service was started.");
  return createPoolTransport(config.baseUrl);
}

async function startService(config: Config, env: Environment, log: Log): Promise<EmbeddedService> {
  const { startEmbedded } = await import("./embedded-service.ts");
  const service = await startEmbedded({ config, env, log, address: addressOf(config) });
  const faults = findTargetFaults(config.routing, service.offered);
  if (faults.length === 0) return service;
  await service.close();
  throw new ConfigError(faults);
}

async function loadDemo(): Promise<FetchApp> {
  const { createDemoSite } = await import("../demo/demo-site.ts");
  return createDemoSite();
}
