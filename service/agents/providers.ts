import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { httpProvider } from "./http/http-provider.ts";
import { knowledgeProvider } from "./knowledge/knowledge-provider.ts";
import { openaiProvider } from "./openai/openai-provider.ts";
import type { AgentProvider, ConfiguredAgent } from "./provider.ts";

/** Every kind of agent that this program includes. A new one is added here. */
export const AGENT_PROVIDERS: readonly AgentProvider[] = [knowledgeProvider, openaiProvider, httpProvider];

/**
 * Returns the agents that `AGENT_PROVIDERS` lists, in its order: the first that can answer is the default. Reads only
 * their variables, so an agent that is not listed needs none.
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
