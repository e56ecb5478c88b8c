import {
  type ConfigError,
  createEnvironmentReader,
  type Environment,
  type Fault,
  type ReadFile,
  tryParse,
} from "../shared/server/environment.ts";
import { couldBeWritten } from "../shared/server/make-folder.ts";
import { configureAgents } from "./agents/providers.ts";
import { CHANNELS, parseConfig } from "./config.ts";
import { configureAdapters } from "./handoff/adapters.ts";

/**
 * Finds the problems of variables and of the folders that they name without changing anything, so that one start shows an
 * operator all of them. A single problem of a folder is left to the start itself, because reading the articles twice
 * would take time.
 *
 * @param others whether the surrounding process has already found a problem
 * @returns the problems, and the names of all variables that were read
 */
export async function findStartFaults(
  env: Environment,
  readFile: ReadFile,
  others = false,
): Promise<Pick<ConfigError, "faults" | "variables">> {
  const { faults: found, variables } = tryParse(() => parseConfig(env, readFile));
  const faults = [...found];
  const dataDir = env["DATA_DIR"]?.trim() || "./data";
  const isBadFolder = !couldBeWritten(dataDir);
  if (others || isBadFolder || faults.length > 0) faults.push(...(await findAgentFaults(env, readFile)));
  if (isBadFolder && (others || faults.length > 0)) {
    faults.push({ name: "DATA_DIR", fault: `(${dataDir}) can't be written.`, example: "DATA_DIR=./data" });
  }
  return { faults, variables };
}

/** Finds what would keep the agents from opening, such as a missing folder of articles. */
export async function findAgentFaults(env: Environment, readFile: ReadFile): Promise<readonly Fault[]> {
  const agents = configureAgents(createEnvironmentReader(env, readFile));
  return (await Promise.all(agents.map((agent) => agent.findFaults()))).flat();
}

/** The names that a route may request. A kind whose list is faulty is undefined, so that its fault is reported only once. */
export function offeredTargets(env: Environment, readFile: ReadFile) {
  const reader = createEnvironmentReader(env, readFile);
  const idsOf = (list: string, configured: readonly { readonly id: string }[]) =>
    reader.faults.some(({ name }) => name === list) ? undefined : configured.map(({ id }) => id);
  return {
    channel: CHANNELS,
    agentProvider: idsOf("AGENT_PROVIDERS", configureAgents(reader)),
    humanHandoffAdapter: idsOf("HANDOFF_ADAPTERS", configureAdapters(reader)),
  };
}
