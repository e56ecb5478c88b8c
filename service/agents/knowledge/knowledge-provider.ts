import { fileURLToPath } from "node:url";
import type { EnvironmentReader } from "../../../shared/server/environment.ts";
import type { AgentProvider } from "../provider.ts";
import { createKnowledgeAgent } from "./knowledge.ts";

const DEMO_ARTICLES = fileURLToPath(new URL("../../../demo/articles", import.meta.url));

/** The agent that quotes the owner's help articles: `KNOWLEDGE_DIR`, `KNOWLEDGE_URL`. */
export const knowledgeProvider: AgentProvider = {
  id: "knowledge",
  configure(reader) {
    const given = reader.text("KNOWLEDGE_DIR");
    const baseUrl = readBaseUrl(reader);
    const directory = given ?? DEMO_ARTICLES;
    return {
      id: "knowledge",
      async findFaults() {
        if (given === undefined) return [];
        try {
          await createKnowledgeAgent({ directory, baseUrl });
          return [];
        } catch (error) {
          const reason = error instanceof Error ? error.message : "it can't be read.";
          return [
            { name: "KNOWLEDGE_DIR", fault: `is refused: ${reason}`, example: "KNOWLEDGE_DIR=/srv/articles" },
          ];
        }
      },
      open: ({ pace }) => createKnowledgeAgent({ directory, baseUrl, pace }),
    };
  },
};

/** The base for article addresses without a host. */
function readBaseUrl(reader: EnvironmentReader): string | undefined {
  const value = reader.text("KNOWLEDGE_URL");
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  const example = "KNOWLEDGE_URL=https://www.example.com";
  reader.refuse({ name: "KNOWLEDGE_URL", fault: "must be an http(s) address.", example });
  return undefined;
}
