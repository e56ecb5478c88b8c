import type { Agent } from "../../service/agents/agent.ts";
import { configureKnowledge } from "../../service/agents/knowledge/configure-knowledge.ts";
import { createLibraryAgent } from "../../service/agents/knowledge/knowledge.ts";
import type { Knowledge } from "../../service/agents/knowledge/open-knowledge.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { ConfigError, createEnvironmentReader, type Environment } from "../../shared/server/environment.ts";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { StartError } from "../../shared/server/start-error.ts";

/** The articles as the service would load them now, and its agent on them. Pages of the site are those of its last fetch. */
export async function openArticles(options: {
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  /** Instead of the configured sources. */
  readonly directory: string | undefined;
}): Promise<{ readonly agent: Agent; readonly knowledge: Knowledge }> {
  const { env, readFile, directory } = options;
  const own = directory === undefined ? {} : { KNOWLEDGE_DIR: directory, KNOWLEDGE_URLS: undefined };
  const reader = createEnvironmentReader({ ...env, ...own }, readFile);
  const configured = configureKnowledge(reader);
  const dataDir = reader.dataDir();
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  try {
    const library = await configured.open({
      clock: systemClock,
      log: SILENT_LOG,
      fetch,
      dataDir,
      // Nothing is watched or fetched by schedule.
      stopping: AbortSignal.abort(),
    });
    const knowledge = library.current();
    if (!knowledge) {
      throw new StartError(
        "No page of KNOWLEDGE_URLS was fetched yet: start the service with the same DATA_DIR.",
      );
    }
    const agent = createLibraryAgent(library);
    return { agent, knowledge };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(cause instanceof Error ? cause.message : "The articles can't be read.", { cause });
  }
}
