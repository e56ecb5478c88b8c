import { type Config, parseConfig } from "../bff/config.ts";
import { readRouting } from "../bff/routing/settings.ts";
import {
  ConfigError,
  createEnvironmentReader,
  type Environment,
  type ReadFile,
  tryParse,
} from "../shared/server/environment.ts";
import type { Log } from "../shared/server/log.ts";
import { Secret } from "../shared/server/secret.ts";
import { unreadVariables } from "../shared/server/unread-variables.ts";
import { findTargetFaults } from "./routing-faults.ts";

export type EmbeddedService = Awaited<ReturnType<typeof startEmbedded>>;

/**
 * Starts the service in this process, without listening. The BFF calls it by the same HTTP contract as any other service.
 * @throws StartError
 */
export async function startEmbedded(options: {
  readonly config: Config;
  readonly env: Environment;
  readonly log: Log;
  /** The origin under which browsers reach this process. */
  readonly address: string;
}) {
  const { config, env, log } = options;
  const { startEmbeddedService } = await import("../service/embedded.ts");
  const service = await startEmbeddedService({
    dataDir: config.dataDir,
    // The demo shop on this port shows the demo's articles at /help.
    env: config.publicUrl === undefined ? { KNOWLEDGE_URL: options.address, ...env } : env,
    log,
    publicOrigin: config.publicUrl,
  });
  const { credential, publicKey, ...running } = service;
  const credentials = { ...config.credentials, application: new Secret(credential), publicKey };
  return {
    ...running,
    /** The configuration with the credential that this service issued for this process. */
    config: { ...config, credentials },
    support: async () => (await service.ready()).reasons,
    /** The one-time link for the desk's first sign-in, until somebody has signed up. */
    setupLink: await service.setupLink(`${options.address}/desk`),
  };
}

/**
 * Reads the configuration of everything that this process will run. Changes nothing.
 * @throws ConfigError with every problem of the BFF and, without `BASE_URL`, of the service
 */
export async function readConfig(env: Environment, readFile: ReadFile): Promise<Config> {
  const own = tryParse(() => parseConfig(env, readFile));
  let { faults, variables } = own;
  if (!env["BASE_URL"]?.trim()) {
    const { findStartFaults, offeredTargets } = await import("../service/start-faults.ts");
    // PORT and HOST are the BFF's. Both read some of the same variables, and each is reported once.
    const its = { ...env, PORT: undefined, HOST: undefined };
    const reader = createEnvironmentReader(env, readFile);
    const routing = readRouting(reader);
    if (reader.faults.length === 0)
      faults = [...faults, ...findTargetFaults(routing, offeredTargets(its, readFile))];
    const others = await findStartFaults(its, readFile, faults.length > 0);
    const named = new Set(faults.map(({ name }) => name));
    faults = [...faults, ...others.faults.filter(({ name }) => !named.has(name))];
    variables = new Set([...variables, ...others.variables]);
  }
  if (own.config && faults.length === 0) return own.config;
  throw new ConfigError(faults, variables, unreadVariables(env, variables));
}
