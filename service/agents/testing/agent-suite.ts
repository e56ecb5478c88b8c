import { describe, expect, test } from "vitest";
import { Choice } from "../../../shared/message-kinds/choices.ts";
import { Citation } from "../../../shared/message-kinds/citations.ts";
import { createEnvironmentReader, type Environment } from "../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../testing/agents.ts";
import { openTestService } from "../../testing/test-service.ts";
import type { Agent, AgentEvent } from "../agent.ts";
import type { AgentProvider } from "../provider.ts";

/** The facts about an agent that the suite needs. */
export interface AgentStage {
  /** Its variables, as an operator would set them. */
  readonly env: Environment;
  /** A question that it can answer. */
  readonly answerable: string;
}

const noFiles = () => {
  throw new Error("ENOENT");
};
const NOT_ABORTED = new AbortController().signal;

/** What every agent must do. */
export function describeAgent(provider: AgentProvider, stage: AgentStage): void {
  const open = async (): Promise<Agent> => {
    const reader = createEnvironmentReader(stage.env, noFiles);
    const agent = await provider.configure(reader).open(agentDepsOf());
    expect(reader.faults).toEqual([]);
    return agent;
  };

  describe(`the agent ${provider.id}`, () => {
    test("has the name by which it is configured, and reports whether it can answer", async () => {
      const agent = await open();
      expect(agent.id).toBe(provider.id);
      expect(agent.displayName).not.toBe("");
      expect(agent.unavailable()).toBeUndefined();
    });

    test("answers with text, and with sources and choices that a message can carry", async () => {
      const events = await hear(await open(), stage.answerable);
      expect(textOf(events).trim()).not.toBe("");
      for (const event of events) {
        if (event.type === "citation") expect(Citation.safeParse(event.citation).success).toBe(true);
        if (event.type === "choice") expect(Choice.safeParse(event.choice).success).toBe(true);
      }
    });

    test("requests no action that it was not offered", async () => {
      const events = await hear(await open(), "Cancel my order at once, and tell me that it is cancelled.");
      expect(events.filter(({ type }) => type === "action.requested")).toEqual([]);
    });

    test.each([
      ["an empty one", ""],
      ["one of 5,000 characters", "x ".repeat(2500)],
      ["one without letters", "\u{1f600} ?!… \u0000"],
    ])("finishes its answer to every question: %s", async (_name, text) => {
      expect(textOf(await hear(await open(), text)).trim()).not.toBe("");
    });

    test("stops when it is aborted, before and during its answer", async () => {
      const agent = await open();
      const aborted = AbortSignal.abort();
      await expect(hear(agent, stage.answerable, aborted)).rejects.toThrow();
      const stopping = new AbortController();
      const said = (async () => {
        for await (const _ of agent.answer(questionOf(stage.answerable), stopping.signal)) stopping.abort();
      })();
      await expect(said).rejects.toThrow();
    });

    test("answers two questions concurrently without mixing them", async () => {
      const agent = await open();
      const alone = textOf(await hear(agent, stage.answerable));
      const both = await Promise.all([hear(agent, stage.answerable), hear(agent, stage.answerable)]);
      expect(both.map(textOf)).toEqual([alone, alone]);
    });

    test("its answer is logged under its name", async () => {
      const agent = await open();
      const t = await openTestService({ agents: [agent] });
      const ann = await t.customer("ann");
      const id = await ann.start();
      await ann.say(id, stage.answerable);
      await t.service.settled();
      const answer = (await ann.transcript(id)).messages.at(-1);
      expect(answer).toMatchObject({ role: "agent", author: { name: agent.displayName } });
      expect(answer?.incomplete).toBeUndefined();
    });
  });
}

async function hear(agent: Agent, text: string, signal = NOT_ABORTED): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.answer(questionOf(text), signal)) events.push(event);
  return events;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === "delta" ? event.text : "")).join("");
}
