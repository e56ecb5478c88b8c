import { fileURLToPath } from "node:url";
import type { Clock } from "../shared/server/clock.ts";
import { createForwardedWatch } from "../shared/server/forwarded-watch.ts";
import { errorFacts, type Log } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
import { StartError } from "../shared/server/start-error.ts";
import type { Agent } from "./agents/agent.ts";
import type { AgentDeps, ConfiguredAgent } from "./agents/provider.ts";
import { createService, type Service } from "./app.ts";
import { readSigningKey } from "./auth/signing-key.ts";
import { CHANNELS, type ServiceConfig } from "./config.ts";
import { createDesk } from "./desk/desk.ts";
import { createDeskFiles } from "./desk/desk-files.ts";
import { createPasswordHasher } from "./desk/password.ts";
import { createSetupLink } from "./desk/set-up.ts";
import { loadLanguages } from "./guard/unguarded-language.ts";
import { createAddressOf } from "./http/client-address.ts";
import { createHub } from "./live/hub.ts";
import { databaseOf, openStore, reserveOf } from "./open-store.ts";
import type { Store } from "./store/store.ts";
import { NO_TOOLS, type Toolbox } from "./tools/toolbox.ts";

const DESK_PAGE = fileURLToPath(new URL("../dist/desk", import.meta.url));

export interface OpenDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The log for agents, if it is another one. */
  readonly agentLog?: Log | undefined;
  /** The public origin of the desk, where a proxy hides it. */
  readonly publicOrigin?: string | undefined;
}

export interface OpenedService extends Service {
  /** Ends streams, stops agents, waits for the requests that are running, and closes the store. */
  close(requests?: Promise<void>): Promise<void>;
  readonly store: Store;
  /**
   * Returns a new one-time link for the first person at the desk, or undefined if there is a person already or the link
   * can't be stored.
   */
  setupLink(workspaceId: string, deskUrl: string): Promise<string | undefined>;
}

/**
 * Opens the data folder, loads the agents and builds the service, without listening.
 *
 * @throws StartError with one sentence: unusable folder, newer database, missing articles
 */
export async function openService(config: ServiceConfig, deps: OpenDeps): Promise<OpenedService> {
  const stopping = new AbortController();
  try {
    return await openAll(config, deps, stopping);
  } catch (error) {
    stopping.abort();
    throw error;
  }
}

async function openAll(
  config: ServiceConfig,
  deps: OpenDeps,
  stopping: AbortController,
): Promise<OpenedService> {
  // Loaded before the store is opened: a start that fails for a missing article must not create a database.
  const { dataDir } = config;
  const { clock, log, agentLog = log } = deps;
  const forAgents: AgentDeps = { clock, log: agentLog, fetch, dataDir, stopping: stopping.signal };
  const agents = await Promise.all(config.agents.map((agent) => openAgent(agent, forAgents)));
  // Before the first answer needs it.
  if (agents.some(({ quotesOnly }) => !quotesOnly)) await loadLanguages();
  const toolbox = await openToolbox(config, deps);
  const hub = createHub((error) => deps.log.error(errorFacts(error), "a listener failed"));
  const { store, signingKey, unlock } = openLockedStore(config, deps, (published) => hub.publish(published));
  const forwarded = createForwardedWatch(config.isProxyCountUnset, deps.log);
  const service = createService({
    ...deps,
    ...config,
    store,
    hub,
    agents,
    toolbox,
    channels: CHANNELS,
    // It holds the lock on the data folder.
    isOnlyProcess: true,
    sources: config.sources.map((open) => open(deps)),
    adapters: config.adapters.map((adapter) => adapter.open({ ...deps, fetch })),
    signingKey,
    ownNotes: forwarded.notes,
    addDesk(app, live) {
      // Any request of the desk, so that it is reported before the first sign-in.
      app.use("/desk/*", async (c, next) => {
        forwarded.see(c.req.raw.headers);
        await next();
      });
      const desk = createDesk({
        ...deps,
        store,
        hub,
        files: createDeskFiles(DESK_PAGE),
        passwords: createPasswordHasher(),
        addressOf: createAddressOf(config.trustedProxies),
        ...live,
        stopping: stopping.signal,
      });
      app.route("/desk", desk);
    },
  });
  const close = async (requests?: Promise<void>) => {
    stopping.abort();
    await service.close();
    await requests;
    await store.close();
    unlock();
  };
  await service.start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...service,
    store,
    setupLink: (workspaceId, deskUrl) =>
      createSetupLink(
        { ...deps, accounts: store.deskAccounts, now: () => deps.clock.now() },
        workspaceId,
        deskUrl,
      ),
    close,
  };
}

/** Opens the store of a serving process. A second process must not open it, because they would miss each other's events. */
function openLockedStore(
  {
    dataDir,
    signingKey: configured,
    storeLimits,
  }: Pick<ServiceConfig, "dataDir" | "signingKey" | "storeLimits">,
  deps: OpenDeps,
  publish: Parameters<typeof openStore>[2],
): { store: Store; signingKey: Uint8Array; unlock: () => void } {
  const unlock = databaseOf(dataDir).lock();
  try {
    const signingKey = readSigningKey(configured, dataDir, deps.random);
    const store = openStore(dataDir, { ...deps, ...storeLimits }, publish);
    if (!reserveOf(dataDir).fill()) {
      deps.log.warn({}, "the disk has no room for the reserve that erasing on a full disk needs");
    }
    return { store, signingKey, unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The client of the protocol is loaded only where the owner lists servers. */
async function openToolbox({ mcpServers }: ServiceConfig, deps: OpenDeps): Promise<Toolbox> {
  if (mcpServers.length === 0) return NO_TOOLS;
  const { createMcpToolbox } = await import("./tools/mcp-toolbox.ts");
  return createMcpToolbox(mcpServers, { ...deps, fetch });
}

async function openAgent(agent: ConfiguredAgent, deps: AgentDeps): Promise<Agent> {
  try {
    return await agent.open(deps);
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : `The agent ${agent.id} can't start.`, {
      cause,
    });
  }
}
