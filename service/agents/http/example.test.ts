import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { agentDepsOf } from "../../testing/agents.ts";
import { openTestService } from "../../testing/test-service.ts";
import { httpProvider } from "./http-provider.ts";
import { startExampleAgent } from "./testing/example-agent.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

async function start() {
  const example = await startExampleAgent(SECRET);
  onTestFinished(() => example.stop());
  return example;
}

test("the example agent answers at the service, with its source, and offers a person when asked for one", async () => {
  const { url } = await start();
  const reader = createEnvironmentReader({ AGENT_HTTP_URL: url, AGENT_HTTP_SECRET: SECRET }, () => "");
  const t = await openTestService({ agents: [await httpProvider.configure(reader).open(agentDepsOf())] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  for (const text of ["Hello?", "Is there a human?"]) {
    await ann.say(id, text);
    await t.service.settled();
  }
  const answers = (await ann.transcript(id)).messages.filter(({ role }) => role === "agent");
  expect(answers[0]).toMatchObject({
    body: expect.stringContaining("message 1 of our conversation"),
    citations: [{ citationId: "hours" }],
  });
  expect(answers[1]).toMatchObject({ choices: [{ id: "person", choice: "handoff" }] });
  expect(answers.map(({ incomplete }) => incomplete)).toEqual([undefined, undefined]);
});

test("the example agent refuses a call that is not signed", async () => {
  const { url } = await start();
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
});

test("the example agent fits on a page", () => {
  const path = fileURLToPath(new URL("../../../examples/agent-http/agent.mjs", import.meta.url));
  expect(readFileSync(path, "utf8").trim().split("\n").length).toBeLessThanOrEqual(60);
});
