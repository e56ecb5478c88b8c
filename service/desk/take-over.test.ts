import { expect, onTestFinished, test } from "vitest";
import { SHOW_MS } from "../answers/shown-answer.ts";
import { createHeldAgent, echoAgent } from "../testing/agents.ts";
import { openStage } from "../testing/authorisation-stage.ts";
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

test.each([
  ["nobody has seen", "Where is my lamp?", ["customer", "agent"]],
  ["the person has seen", "Thank you, Mira!", ["customer"]],
])(
  "HAND2 when a person hands back, the agent answers only a last message that %s: %s",
  async (_, body, roles) => {
    const stage = await openStage({ service: { agents: [echoAgent] } });
    onTestFinished(() => stage.close());
    const workspace = await stage.addWorkspace("one");
    const mira = await workspace.person("mira@shop.example", "admin");
    const ann = await workspace.customer("ann");
    const id = await ann.start();
    const act = (path: string, given: unknown = {}) =>
      stage.request(`/desk/api/conversations/${id}/${path}`, {
        method: "POST",
        headers: { ...mira.headers, "content-type": "application/json" },
        body: JSON.stringify(given),
      });
    await act("take");
    await ann.say(id, body);
    if (!roles.includes("agent")) await act("read", { seq: (await ann.transcript(id)).lastSeq });
    expect((await act("return")).status).toBe(200);
    await stage.settled();
    expect((await ann.transcript(id)).messages.map(({ role }) => role)).toEqual(roles);
  },
);
