import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { agentDepsOf } from "../../testing/agents.ts";
import { openTestService } from "../../testing/test-service.ts";
import { openaiProvider } from "./openai-provider.ts";
import { chatEnd, chatText, chatUsage, startFakeModelServer } from "./testing/fake-model-server.ts";

test("a server that reports 0 tokens does not lift the limit of a conversation", async () => {
  const server = await startFakeModelServer();
  onTestFinished(() => server.close());
  const dataDir = mkdtempSync(join(tmpdir(), "parley-tokens-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, "opening.md"), "# Opening hours\n\nWe are open all day.\n");
  const env = {
    AGENT_OPENAI_BASE_URL: server.url,
    AGENT_OPENAI_MODEL: "fake-1",
    AGENT_OPENAI_CONVERSATION_TOKENS: "1500",
    KNOWLEDGE_DIR: dataDir,
  };
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const configured = openaiProvider.configure(createEnvironmentReader(env, () => ""));
  const agent = await configured.open(agentDepsOf({ dataDir, stopping: stopping.signal }));
  const t = await openTestService({ agents: [agent] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  server.reply({
    chunks: [chatText("We are open all day [1]."), chatEnd("stop"), chatUsage(0, 0), "data: [DONE]\n\n"],
  });
  for (let asked = 0; asked < 3; asked += 1) {
    await ann.say(id, "What are your opening hours?");
    await t.service.settled();
  }
  const { messages } = await ann.transcript(id);
  expect(messages.at(1)?.body).toBe("We are open all day [1].");
  expect(messages.at(-1)?.body).toContain("limit");
});
