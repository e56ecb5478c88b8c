import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { knowledgeProvider } from "./knowledge-provider.ts";
import type { AgentProvider, ConfiguredAgent } from "./provider.ts";

/** Every kind of agent that this program has. A new one is added here. */
export const AGENT_PROVIDERS: readonly AgentProvider[] = [knowledgeProvider];

/**
 * The agents that `AGENT_PROVIDERS` names, in its order: the first that can answer is the default. Only their own
 * variables are read, so an agent that is not named needs none.
 */
export function configureAgents(
  reader: EnvironmentReader,
  providers: readonly AgentProvider[] = AGENT_PROVIDERS,
): readonly ConfiguredAgent[] {
  const ids = reader.list(
    "AGENT_PROVIDERS",
    providers.map(({ id }) => id),
    ["knowledge"],
  );
  return ids.flatMap((id) => providers.find((provider) => provider.id === id)?.configure(reader) ?? []);
}
