import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import { openaiProvider } from "./openai-provider.ts";
import { chatEnd, chatText, type ModelReply } from "./testing/fake-model-server.ts";
import { folder, hear, openAgent, startModel, typesOf } from "./testing/openai-bench.ts";

describe("limits of tokens", () => {
  const limited = (name: string) => ({ [`AGENT_OPENAI_${name}_TOKENS`]: "3000" });
  // Each answer takes more than a third of the limit.
  const costly: ModelReply = {
    chunks: [
      chatText("It depends [1]."),
      chatEnd("stop"),
      'data: {"choices":[],"usage":{"prompt_tokens":2900,"completion_tokens":50}}\n\n',
    ],
  };

  test.each([
    ["CONVERSATION", { conversationId: "c2" }],
    ["CUSTOMER", { customerId: "bob" }],
  ])("%s: no more calls, an honest sentence and a person; others are still answered", async (name, other) => {
    const server = await startModel(costly);
    const log = createMemoryLog();
    const agent = await openAgent(server, limited(name), { log });
    expect((await hear(agent)).text).toBe("It depends [1].");
    const heard = await hear(agent);
    expect(heard.text).toContain("reached their limit");
    expect(typesOf(heard)).toEqual(["delta", "handoff.suggested"]);
    expect(server.calls).toHaveLength(1);
    expect(log.text()).toContain(`"limit":"${name.toLowerCase()}"`);
    expect((await hear(agent, other)).text).toBe("It depends [1].");
  });

  test("DAY: the limit applies to everybody together, survives a restart and ends with the day", async () => {
    const server = await startModel(costly);
    const clock = createManualClock();
    const dataDir = folder();
    await hear(await openAgent(server, limited("DAY"), { clock, dataDir }));
    const agent = await openAgent(server, limited("DAY"), { clock, dataDir });
    expect((await hear(agent, { conversationId: "c2", customerId: "bob" })).text).toContain("limit");
    expect(server.calls).toHaveLength(1);
    clock.advance(24 * 60 * 60 * 1000);
    expect((await hear(agent)).text).toBe("It depends [1].");
  });

  test("a broken file of today's tokens counts as none", async () => {
    const dataDir = folder();
    const server = await startModel(costly);
    const agent = await openAgent(server, limited("DAY"), { dataDir });
    await hear(agent);
    writeFileSync(join(dataDir, "agent-openai", "spent.json"), "{");
    expect((await hear(await openAgent(server, limited("DAY"), { dataDir }))).text).toBe("It depends [1].");
  });

  test("an answer that was cut off counts by its length", async () => {
    const server = await startModel({ chunks: [chatText(`It depends [1]. ${"x".repeat(9000)}`)] });
    const agent = await openAgent(server, limited("CONVERSATION"));
    await hear(agent);
    expect((await hear(agent)).text).toContain("limit");
  });
});

describe("the configuration", () => {
  const faultsOf = (env: Record<string, string>) => {
    const reader = createEnvironmentReader(env, () => {
      throw new Error("ENOENT");
    });
    openaiProvider.configure(reader);
    return reader.faults.map(({ name }) => name);
  };
  const GOOD = { AGENT_OPENAI_BASE_URL: "http://localhost:11434", AGENT_OPENAI_MODEL: "m" };

  test.each([
    [{}, ["AGENT_OPENAI_MODEL", "AGENT_OPENAI_BASE_URL"]],
    [{ AGENT_OPENAI_BASE_URL: "localhost:11434" }, ["AGENT_OPENAI_MODEL", "AGENT_OPENAI_BASE_URL"]],
    [
      { ...GOOD, AGENT_OPENAI_FALLBACK_API_KEY: "sk-x" },
      ["AGENT_OPENAI_FALLBACK_MODEL", "AGENT_OPENAI_FALLBACK_BASE_URL"],
    ],
    [GOOD, []],
    [{ AGENT_OPENAI_BASE_URL: "localhost:11434", AGENT_OPENAI_MODEL: "m" }, ["AGENT_OPENAI_BASE_URL"]],
    [{ ...GOOD, AGENT_OPENAI_BASE_URL: "https://a:b@x.example" }, ["AGENT_OPENAI_BASE_URL"]],
    [{ AGENT_OPENAI_BASE_URL: "http://localhost" }, ["AGENT_OPENAI_MODEL"]],
    [{ ...GOOD, AGENT_OPENAI_FALLBACK_MODEL: "m" }, ["AGENT_OPENAI_FALLBACK_BASE_URL"]],
    [{ ...GOOD, AGENT_OPENAI_FALLBACK_BASE_URL: "http://x" }, ["AGENT_OPENAI_FALLBACK_MODEL"]],
    [
      { ...GOOD, AGENT_OPENAI_FALLBACK_PRICE: "0.25 2 USD" },
      ["AGENT_OPENAI_FALLBACK_MODEL", "AGENT_OPENAI_FALLBACK_BASE_URL"],
    ],
    [{ ...GOOD, AGENT_OPENAI_API: "grpc" }, ["AGENT_OPENAI_API"]],
    [{ ...GOOD, AGENT_INSTRUCTIONS: "/nowhere" }, ["AGENT_INSTRUCTIONS"]],
    [{ ...GOOD, AGENT_OPENAI_DAY_TOKENS: "many" }, ["AGENT_OPENAI_DAY_TOKENS"]],
  ])("%j has the faults %j", (env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });
});
