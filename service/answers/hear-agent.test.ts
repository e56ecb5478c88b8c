import { expect, test } from "vitest";
import type { AgentEvent } from "../agents/agent.ts";
import { createScriptedAgent, questionOf } from "../testing/agents.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { hearAgent } from "./hear-agent.ts";

/** An agent that talks without end, and then does what `end` says. */
const endless = (end: () => void | Promise<void>) =>
  createScriptedAgent(async function* (): AsyncGenerator<AgentEvent> {
    try {
      for (;;) yield { type: "delta", text: "and " };
    } finally {
      await end();
    }
  });

function hear(agent: ReturnType<typeof endless>, onEvent: () => boolean) {
  const deps = { agent, clock: createManualClock() };
  return hearAgent(deps, questionOf("Hello?"), new AbortController(), onEvent);
}

test.each([
  ["an answer that is long enough", () => false, "stopped"],
  ["an answer without end", () => true, "failed"],
])("%s ends the agent's own work, such as counting its cost", async (_name, onEvent, end) => {
  let hasEnded = false;
  const agent = endless(() => {
    hasEnded = true;
  });
  expect(await hear(agent, onEvent)).toMatchObject({ end });
  expect(hasEnded).toBe(true);
});

test("an agent that does not end its work holds up nobody", async () => {
  const agent = endless(() => new Promise(() => undefined));
  expect(await hear(agent, () => false)).toEqual({ end: "stopped" });
});
