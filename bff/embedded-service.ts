import type { Environment, Fault } from "../shared/server/environment.ts";
import type { Log } from "../shared/server/log.ts";
import { Secret } from "../shared/server/secret.ts";
import type { Config } from "./config.ts";
import type { Readiness } from "./health/readiness.ts";
import type { OfferedTargets } from "./routing/settings.ts";
import type { FetchApp } from "./upstream/fetch-transport.ts";

/** The service in this process, seen as the BFF needs it. */
export interface EmbeddedService {
  readonly app: FetchApp;
  /** The configuration with the credential that this service issued for this process. */
  readonly config: Config;
  readonly support: Readiness;
  /** What routing may ask it for. */
  readonly offered: OfferedTargets;
  /** The one-time link to the desk's first sign-in, while nobody has signed in. */
  readonly setupLink: string | undefined;
  /** Ends the streams that it holds open itself (the desk's), and closes its store. */
  close(): Promise<void>;
}

/**
 * Starts the service in this process, without listening. Only this file, loaded when BASE_URL is unset, knows it; from
 * then on it is spoken to by the same HTTP contract as any other.
 */
export async function startEmbedded(options: {
  readonly config: Config;
  readonly env: Environment;
  readonly log: Log;
  /** Where browsers reach this process. */
  readonly address: string;
}): Promise<EmbeddedService> {
  const { config, env, log } = options;
  const { startEmbeddedService } = await import("../service/embedded.ts");
  const service = await startEmbeddedService({
    dataDir: config.dataDir,
    // The demo shop of this port has the articles of the demo at /help.
    env: config.publicUrl === undefined ? { KNOWLEDGE_URL: options.address, ...env } : env,
    log,
    publicOrigin: config.publicUrl,
  });
  const { channels, agentProviders, humanHandoffAdapters } = service.offered;
  return {
    app: service.app,
    offered: {
      channel: channels,
      agentProvider: agentProviders,
      humanHandoffAdapter: humanHandoffAdapters,
    },
    config: {
      ...config,
      credentials: {
        ...config.credentials,
        application: new Secret(service.credential),
        publicKey: service.publicKey,
      },
    },
    support: async () => {
      const { ready, reasons } = await service.ready();
      if (ready) return [];
      return reasons.length > 0 ? reasons : ["The service in this process is not ready."];
    },
    setupLink: await service.setupLink(`${options.address}/desk`),
    close: () => service.close(),
  };
}

/**
 * What is wrong with the variables that the service in this process will read, and with the folders that they name; PORT
 * and HOST are the BFF's. Changes nothing.
 *
 * @param others whether the BFF has found a fault of its own
 */
export async function findServiceFaults(
  env: Environment,
  readFile: (path: string) => string,
  others: boolean,
): Promise<readonly Fault[]> {
  const { findStartFaults } = await import("../service/start-faults.ts");
  return findStartFaults({ ...env, PORT: undefined, HOST: undefined }, readFile, others);
}
