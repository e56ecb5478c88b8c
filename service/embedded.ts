import { readFileSync } from "node:fs";
import { type Clock, systemClock } from "../shared/server/clock.ts";
import type { Environment } from "../shared/server/environment.ts";
import type { Log } from "../shared/server/log.ts";
import { systemRandom } from "../shared/server/random.ts";
import { createWorkspace, issueCredential } from "./auth/credential.ts";
import { parseConfig } from "./config.ts";
import { type OpenedService, openService } from "./open-service.ts";

/** The workspace of customers when no workspace is configured. */
const WORKSPACE = "demo";
/** The label of the current process's credential; those of earlier runs are revoked when it is issued. */
const LABEL = "embedded";

export interface EmbeddedService extends Pick<OpenedService, "app" | "ready" | "notes" | "close"> {
  /** For this process only; the next start issues another. */
  readonly credential: string;
  readonly publicKey: string;
  /** The names of all variables that its configuration was read from. */
  readonly variables: ReadonlySet<string>;
  /**
   * Returns the one-time link for the first person of the desk, or undefined if there is a person already or the link can't be
   * stored.
   * @param deskUrl where people open the desk, such as `http://127.0.0.1:3000/desk`
   */
  setupLink(deskUrl: string): Promise<string | undefined>;
}

/**
 * Runs the service inside another process: the same `/v1` contract, without listening.
 *
 * @throws StartError (ConfigError, StoreError) with sentences for the operator
 */
export async function startEmbeddedService(options: {
  dataDir: string;
  env: Environment;
  log: Log;
  clock?: Clock;
  /** The origin under which people open the desk, where a proxy hides it. */
  publicOrigin?: string | undefined;
}): Promise<EmbeddedService> {
  const { log, clock = systemClock } = options;
  const readFile = (path: string) => readFileSync(path, "utf8");
  // PORT and HOST belong to the surrounding process, which has checked them.
  const env = { ...options.env, DATA_DIR: options.dataDir, PORT: undefined, HOST: undefined };
  // The surrounding process logs each request itself.
  const quiet: Log = { ...log, info: (fields, message) => log.debug(fields, message) };
  // It also sees each request first, so it reports forwarded addresses.
  const config = { ...parseConfig(env, readFile), isProxyCountUnset: false };
  const service = await openService(config, {
    clock,
    random: systemRandom,
    log: quiet,
    agentLog: log,
    publicOrigin: options.publicOrigin,
  });
  try {
    const known = (await service.store.workspaces.list()).find(({ name }) => name === WORKSPACE);
    const workspace = known ?? (await createWorkspace(service.store, systemRandom, WORKSPACE));
    const { credential } = await issueCredential(service.store, systemRandom, {
      workspaceId: workspace.id,
      label: LABEL,
      ends: { label: LABEL },
    });
    return {
      ...service,
      credential,
      publicKey: workspace.publicKey,
      variables: config.variables,
      setupLink: (deskUrl) => service.setupLink(workspace.id, deskUrl),
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
