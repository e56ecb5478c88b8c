import type { AgentProvider } from "../provider.ts";
import { configureKnowledge } from "./configure-knowledge.ts";

/** The agent that quotes the owner's help articles. */
export const knowledgeProvider: AgentProvider = {
  id: "knowledge",
  configure(reader) {
    const knowledge = configureKnowledge(reader);
    return {
      id: "knowledge",
      findFaults: () => knowledge.findFaults(),
      async open(deps) {
        const { createLibraryAgent } = await import("./knowledge.ts");
        return createLibraryAgent(await knowledge.open(deps));
      },
    };
  },
};
