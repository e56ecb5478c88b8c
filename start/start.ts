import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bff, createBff } from "../bff/app.ts";
import type { Config } from "../bff/config.ts";
import { openKeyRing } from "../bff/identity/key-ring.ts";
import { createMetricsDoor } from "../bff/metrics/metrics-door.ts";
import type { BffDeps } from "../bff/parts.ts";
import { loadStaticFiles } from "../bff/static/load-files.ts";
import { openStore } from "../bff/store/open-store.ts";
import { createFetchTransport, type FetchApp } from "../bff/upstream/fetch-transport.ts";
import { systemClock } from "../shared/server/clock.ts";
import { lockDataFolder } from "../shared/server/data-folder-lock.ts";
import type { Environment } from "../shared/server/environment.ts";
import { proxyWarnings } from "../shared/server/forwarded-watch.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { createLog } from "../shared/server/log.ts";
import { makeDataFolder } from "../shared/server/make-folder.ts";
import { systemRandom } from "../shared/server/random.ts";
import { unreadVariables } from "../shared/server/unread-variables.ts";
import { type EmbeddedService, readConfig, startEmbedded } from "./embedded-service.ts";
import { addressOf, greetingOf } from "./greeting.ts";
import { openPort } from "./open-port.ts";
import { createRemoteReadiness } from "./remote-service.ts";
import { routingWarnings } from "./routing-faults.ts";

/** Requests that are running get this long before the embedded service stops its agents. */
const GRACE_MS = 1500;

/**
 * Starts the BFF and, without `BASE_URL`, the service in the same process.
 * @throws StartError (ConfigError with every problem); Error with one sentence for a missing build
 */
export async function start(options: {
  readonly env: Environment;
  /** The folder of package.json. */
  readonly root: string;
  readonly writeLog: (line: string) => void;
}) {
  const { env, root, writeLog } = options;
  const readFile = (path: string) => readFileSync(path, "utf8");
  const config = await readConfig(env, readFile);
  const log = createLog(config.logLevel, { clock: systemClock, write: writeLog });
  const { version } = JSON.parse(readFile(join(root, "package.json"))) as { version: string };
  const files = loadStaticFiles(join(root, "dist"));
  const closing: (() => unknown)[] = [];
  try {
    if (config.storeUrl === undefined || config.baseUrl === undefined) makeDataFolder(config.dataDir);
    const store = await openStore(config, { log });
    closing.push(() => store.close());
    // Before the service: a second start on the same folder must stop here, and not issue another credential.
    const { listening, serve } = await openPort(config);
    closing.push(() => listening.stop());
    // BFFs that share a store write nothing into the folder, so they may share it too.
    const unlock = config.storeUrl === undefined ? lockDataFolder(config.dataDir, "BFF") : undefined;
    if (unlock) closing.push(unlock);

    const address = addressOf(config);
    const service =
      config.baseUrl === undefined ? await startEmbedded({ config, env, log, address }) : undefined;
    if (service) closing.push(() => service.close());
    const running = service?.config ?? config;
    const bff = await openBff({ config: running, log, store, files, version, service });
    serve(bff.app);
    await bff.storeLoader();
    const metrics = await openMetricsPort(running, bff);
    log.info({ version, embedded: service !== undefined, port: config.port }, "listening");
    const known = new Set([...config.variables, ...(service?.variables ?? [])]);
    const { publicUrl, isProxyCountUnset } = config;
    for (const warning of [
      ...routingWarnings(config.routing),
      ...proxyWarnings(publicUrl, isProxyCountUnset),
      ...unreadVariables(env, known),
    ])
      log.warn({}, warning);
    return {
      greeting: async () => greetingOf(running, { service, reasons: await bff.ready() }),
      log,
      /** Becomes not ready, ends the streams, finishes running requests and closes the stores. */
      async stop(): Promise<void> {
        bff.drain();
        const stopped = listening.stop();
        // The desk's streams end with the service; answers get a moment to finish first.
        await Promise.race([stopped, new Promise<void>((resolve) => systemClock.after(GRACE_MS, resolve))]);
        await service?.close(stopped);
        await stopped;
        await bff.close();
        await metrics?.stop();
        unlock?.();
      },
    };
  } catch (error) {
    for (const close of closing.reverse()) await close();
    throw error;
  }
}

async function openBff(
  parts: Pick<BffDeps, "config" | "log" | "store" | "files" | "version"> & {
    readonly service: EmbeddedService | undefined;
  },
): Promise<Bff> {
  const { config, log, service } = parts;
  const { keys } = config.identity;
  const transport = service
    ? createFetchTransport(service.app, { isQuiet: true })
    : await openPool(config.baseUrl ?? "");
  const identityKeys =
    keys?.kind === "address"
      ? await openKeyRing({ url: keys.url, fetch, clock: systemClock, log })
      : undefined;
  const demo = service && config.publicUrl === undefined ? await loadDemo() : undefined;
  return createBff({
    ...parts,
    service: service?.app,
    transport,
    clock: systemClock,
    random: systemRandom,
    newRequestId: randomUUID,
    support: service?.support ?? createRemoteReadiness(transport, systemClock),
    supportNotes: service?.notes,
    demo,
    identityKeys,
  });
}

/** The metrics on a port of their own, where METRICS_PORT names one; they stay until everything else has stopped. */
async function openMetricsPort({ metrics, host }: Config, bff: Bff): Promise<Listening | undefined> {
  if (metrics.port === undefined) return undefined;
  const door = createMetricsDoor(() => bff.metrics(), undefined, host);
  const app = {
    fetch: async (request: Request) => (await door(request)) ?? new Response(null, { status: 404 }),
  };
  return listen({ app, host, port: metrics.port, variable: "METRICS_PORT", clock: systemClock });
}

async function loadDemo(): Promise<FetchApp> {
  const { createDemoSite } = await import("../demo/demo-site.ts");
  return createDemoSite();
}

/** The HTTP client is loaded only for a service elsewhere. */
async function openPool(baseUrl: string) {
  const { createPoolTransport } = await import("../bff/upstream/pool-transport.ts");
  return createPoolTransport(baseUrl);
}
