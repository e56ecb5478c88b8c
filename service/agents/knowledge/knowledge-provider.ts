import type { AgentProvider } from "../provider.ts";
import { createLibraryAgent } from "./knowledge.ts";
import { configureKnowledge } from "./knowledge-library.ts";

/** The agent that quotes the owner's help articles. */
export const knowledgeProvider: AgentProvider = {
  id: "knowledge",
  configure(reader) {
    const knowledge = configureKnowledge(reader);
    return {
      id: "knowledge",
      findFaults: () => knowledge.findFaults(),
      open: async (deps) => createLibraryAgent(await knowledge.open(deps)),
    };
  },
};
