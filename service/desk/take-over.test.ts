import { expect, test } from "vitest";
import { SHOW_MS } from "../answers/shown-answer.ts";
import { createHeldAgent } from "../testing/agents.ts";
import { settleDown } from "../testing/settle-down.ts";
import { openTestService } from "../testing/test-service.ts";

const MARIA = { id: "user_maria", name: "Maria" };

test("DESK15 the agent stops in the middle of its answer when a person takes the conversation", async () => {
  const held = createHeldAgent();
  const t = await openTestService({ agents: [held.agent] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  const shown: string[] = [];
  t.hub.subscribe(id, ({ event }) => void (event.type === "response.delta" && shown.push(event.delta)));
  await ann.say(id, "Where is my lamp?");
  held.say("It left ");
  await settleDown();
  t.clock.advance(SHOW_MS);
  await expect.poll(() => shown.join("")).toContain("It left");
  await t.store.desk.takeConversation({ workspaceId: t.workspace.id, conversationId: id }, MARIA);
  await t.service.settled();
  held.say("and never came.");
  await t.service.settled();
  const { messages, marks } = await ann.transcript(id);
  expect(
    messages
      .filter(({ role }) => role === "agent")
      .map(({ body }) => body)
      .join(),
  ).not.toContain("never came");
  expect(shown.join("")).not.toContain("never came");
  expect(marks?.at(-1)).toMatchObject({ type: "handoff.accepted", name: "Maria" });
});
