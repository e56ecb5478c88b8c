import { afterAll, describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { agentDepsOf, createSilentAgent } from "../testing/agents.ts";
import { openTestService } from "../testing/test-service.ts";
import type { Agent } from "./agent.ts";
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
  if (stage) describeAgent(provider, stage);
  // Not thrown here: then `afterAll` would not run, and the example's process would keep this one alive.
  else
    test(`the agent ${provider.id} has a stage`, () => {
      expect.fail(`The agent ${provider.id} has no stage in STAGES, so the suite can't run on it.`);
    });
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
  test("a public address with the demo's articles is noted, and only that", async () => {
    const notesWith = async (env: Record<string, string>) => {
      const [agent] = configureAgents(readerOf(env));
      return (await agent?.open(agentDepsOf()))?.notes?.();
    };
    const folder = new URL("../../demo/articles", import.meta.url).pathname;
    expect(await notesWith({})).toEqual([]);
    expect(await notesWith({ PUBLIC_URL: "https://chat.example", KNOWLEDGE_DIR: folder })).toEqual([]);
    expect(await notesWith({ PUBLIC_URL: "https://chat.example" })).toEqual([
      expect.stringContaining("the demo shop's articles"),
    ]);
  });

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

  test("every fault of every listed agent is reported at once, also beside an unknown name", () => {
    const reader = readerOf({ AGENT_PROVIDERS: "knowledge,other,llm", KNOWLEDGE_URL: "ftp://x" });
    configureAgents(reader, [...AGENT_PROVIDERS, other]);
    expect(reader.faults.map(({ name }) => name)).toEqual([
      "AGENT_PROVIDERS",
      "KNOWLEDGE_URL",
      "AGENT_OTHER_URL",
    ]);
  });

  test("an unknown name is refused with the list of known names", () => {
    const reader = readerOf({ AGENT_PROVIDERS: "llm" });
    configureAgents(reader);
    expect(reader.faults[0]?.fault).toContain("knowledge");
  });
});

test("several agents work beside each other: in their order, as a route asks, without the one that is away", async () => {
  const env = {
    AGENT_PROVIDERS: "openai, http, knowledge",
    ...STAGES["openai"]?.env,
    ...STAGES["http"]?.env,
  };
  const openAll = (more: Record<string, string> = {}) =>
    Promise.all(configureAgents(readerOf({ ...env, ...more })).map((agent) => agent.open(agentDepsOf())));
  const answeredBy = async (agents: readonly Agent[], wish: object = {}) => {
    const t = await openTestService({ agents });
    const ann = await t.customer("ann");
    await ann.post("/v1/sdk/support-selection", { userID: "ann", ...wish });
    const id = await ann.start();
    await ann.say(id, "How long does delivery take?");
    await t.service.settled();
    return (await ann.transcript(id)).messages.at(-1)?.body;
  };
  const agents = await openAll();
  expect(await answeredBy(agents)).toMatch(/\[1\]\.$/);
  expect(await answeredBy(agents, { agentProvider: "http" })).toContain("of our conversation");
  expect(await answeredBy(agents, { agentProvider: "knowledge" })).toContain("our help articles");
  const [first, ...others] = await openAll({ AGENT_OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
  await expect.poll(() => first?.unavailable()).toBeDefined();
  expect(await answeredBy(first ? [first, ...others] : others)).toContain("of our conversation");
});
