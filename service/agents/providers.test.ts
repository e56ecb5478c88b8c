import { afterAll, describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { createSilentAgent } from "../testing/agents.ts";
import { startExampleAgent } from "./http/testing/example-agent.ts";
import { startFakeModelServer } from "./openai/testing/fake-model-server.ts";
import type { AgentProvider } from "./provider.ts";
import { AGENT_PROVIDERS, configureAgents } from "./providers.ts";
import { type AgentStage, describeAgent } from "./testing/agent-suite.ts";

const model = await startFakeModelServer();
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const example = await startExampleAgent(SECRET);
afterAll(async () => {
  example.stop();
  await model.close();
});

const STAGES: Readonly<Record<string, AgentStage>> = {
  knowledge: { env: {}, answerable: "How long does delivery take?" },
  openai: {
    env: { AGENT_OPENAI_BASE_URL: model.url, AGENT_OPENAI_MODEL: "fake-1" },
    answerable: "How long does delivery take?",
  },
  http: {
    env: { AGENT_HTTP_URL: example.url, AGENT_HTTP_SECRET: SECRET },
    answerable: "How long does delivery take?",
  },
};

for (const provider of AGENT_PROVIDERS) {
  const stage = STAGES[provider.id];
  if (!stage) throw new Error(`The agent ${provider.id} has no stage, so the suite can't run on it.`);
  describeAgent(provider, stage);
}

const readerOf = (env: Record<string, string>) =>
  createEnvironmentReader(env, () => {
    throw new Error("ENOENT");
  });

/** Needs a variable of its own. */
const other: AgentProvider = {
  id: "other",
  configure(reader) {
    if (reader.text("AGENT_OTHER_URL") === undefined)
      reader.refuse({ name: "AGENT_OTHER_URL", fault: "must be set.", example: "AGENT_OTHER_URL=http://a" });
    return {
      id: "other",
      findFaults: async () => [],
      open: async () => createSilentAgent({ id: "other" }),
    };
  },
};

describe("AGENT_PROVIDERS", () => {
  const ids = (env: Record<string, string>, providers?: readonly AgentProvider[]) =>
    configureAgents(readerOf(env), providers).map(({ id }) => id);

  test("names agents in order of preference; the default is the knowledge agent", () => {
    expect(ids({})).toEqual(["knowledge"]);
    expect(ids({ AGENT_PROVIDERS: "other, knowledge" }, [...AGENT_PROVIDERS, other])).toEqual([
      "other",
      "knowledge",
    ]);
  });

  test("an agent that is not listed needs none of its variables", () => {
    const reader = readerOf({});
    configureAgents(reader, [...AGENT_PROVIDERS, other]);
    expect(reader.faults).toEqual([]);
  });

  test("every fault of every listed agent is reported at once", () => {
    const reader = readerOf({ AGENT_PROVIDERS: "knowledge,other", KNOWLEDGE_URL: "ftp://x" });
    configureAgents(reader, [...AGENT_PROVIDERS, other]);
    expect(reader.faults.map(({ name }) => name)).toEqual(["KNOWLEDGE_URL", "AGENT_OTHER_URL"]);
  });

  test("an unknown name is refused with the list of known names", () => {
    const reader = readerOf({ AGENT_PROVIDERS: "llm" });
    configureAgents(reader);
    expect(reader.faults[0]?.fault).toContain("knowledge");
  });
});
