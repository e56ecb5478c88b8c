import { describe, expect, test } from "vitest";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import type { AgentEvent } from "../agents/agent.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { openTestService } from "../testing/test-service.ts";
import type { FakeMcp } from "../tools/testing/fake-mcp-server.ts";
import { shopOf } from "../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../tools/testing/test-toolbox.ts";
import { answerTo, askFor, INPUT, openAction, REFUND, stateOf } from "./testing/asked-action.ts";

describe("ACT4 requests of an agent", () => {
  const text: AgentEvent = { type: "delta", text: "Let me see." };
  test.each([
    ["a tool that no server offers", askFor("shop_delete", INPUT)],
    ["the server's own name for a tool", askFor("refund", INPUT)],
    ["a tool that reads", askFor("shop_find_order", { order: "1001" })],
    ["an input that lacks something", askFor("shop_refund", { order: "1001" })],
    ["an input with something else", askFor("shop_refund", { ...INPUT, to: "me" })],
    ["an input out of bounds", askFor("shop_refund", { ...INPUT, amount: 0 })],
    ["an input of another type", askFor("shop_refund", "everything")],
    ["an input that hides something", askFor("shop_refund", { ...INPUT, order: "1001\u202e2002" })],
    ["an input that no card can show", askFor("shop_refund", { ...INPUT, order: "x".repeat(1001) })],
  ])("%s: no card, and nothing runs", async (_name, event) => {
    const { t, fake, actions } = await openAction({ events: [text, event] });
    expect(actions).toEqual([]);
    expect(fake.calls).toEqual([]);
    expect(t.log.text()).toContain("an agent asked for an action that it was not offered");
  });

  test("the same action twice is one card, and an answer has at most three", async () => {
    const more = ["1", "2", "3", "4"].map((order) => askFor("shop_refund", { ...INPUT, order }));
    const { actions } = await openAction({ events: [text, REFUND, REFUND, ...more] });
    expect(actions.map((action) => action.arguments?.[0]?.value)).toEqual(["1001", "1", "2"]);
  });

  test("ACT1 a request that an open card shows gets no second card; once it is answered it may be made again", async () => {
    const { t, ann, id, actionId } = await openAction({ events: [text, REFUND] });
    await ann.say(id, "Please!");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toHaveLength(1);
    const target = { workspaceId: t.workspace.id, conversationId: id };
    const notes = (await t.store.desk.readDeskConversation(target))?.notes;
    // The second answer asked for nothing that anybody can allow.
    expect(notes?.map(({ made }) => made.tools)).toEqual([[{ name: "shop_refund", status: "asked" }]]);
    await answerTo(ann, id, actionId, false);
    await ann.say(id, "After all, yes");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toHaveLength(2);
  });

  test.each([
    ["a title", "Pay back", "Pay back"],
    ["an empty one", " ", "Refund"],
    ["one that turns itself around", "Refund \u202eredro", "Refund"],
    ["one that is too long", "x".repeat(201), "Refund"],
    ["none", undefined, "Refund"],
  ])("ACT1 the card's title where the server gives %s", async (_name, title, shown) => {
    const fake = await startFakeMcp();
    fake.tools = [{ ...fake.tools[0], title }];
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    expect(toolbox.prepare("shop_refund", INPUT)).toMatchObject({ title: shown });
  });

  test("ACT1 two tools, or two arguments, with one title are called by their names", async () => {
    const fake = await startFakeMcp();
    const property = { type: "string", title: "Order" };
    const inputSchema = { type: "object", properties: { from: property, to: property, from_: property } };
    fake.tools = [
      { ...fake.tools[0], inputSchema },
      { ...fake.tools[1], title: "Refund an order" },
    ];
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    expect(toolbox.prepare("shop_refund", { from: "1", to: "2" })).toMatchObject({
      title: "Refund",
      arguments: [
        { label: "From", value: "1" },
        { label: "To", value: "2" },
      ],
    });
    // Their names as words are the same, too.
    expect(toolbox.prepare("shop_refund", { from: "1", from_: "2" })).toHaveProperty("refused");
  });

  test("an agent that says nothing beside it: its message is the action's title", async () => {
    const { ann, id } = await openAction({ events: [REFUND] });
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({
      role: "agent",
      body: "Refund an order",
    });
  });

  test("an answer that fails asks for nothing", async () => {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const agent = createScriptedAgent(async function* () {
      yield REFUND;
      throw new Error("broken");
    });
    const t = await openTestService({ agents: [agent], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toEqual([]);
  });

  test.each([
    ["x", "answer_cut"],
    [" ", "agent_failed"],
  ])(
    "an answer of %j that is cut at its limit asks for nothing: what it said of the action may be missing",
    async (character, notice) => {
      const long: AgentEvent = { type: "delta", text: character.repeat(MAX_ANSWER_CODE_POINTS + 1) };
      const { ann, id, actions } = await openAction({ events: [REFUND, long] });
      expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ notice });
      expect(actions).toEqual([]);
    },
  );

  test("the stream of a turn contains the request, before it ends", async () => {
    const { t } = await openAction();
    const bob = await t.customer("bob");
    const id = await bob.start();
    const turn = { clientMessageId: "k", content: { body: "Refund", format: "plain" } };
    const answer = await bob.post(`/v1/support/conversations/${id}/turns`, turn, {
      accept: "application/x-ndjson",
    });
    const lines = (await answer.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toContain("response.completed");
    expect(lines.at(-1)).toMatchObject({
      type: "action.requested",
      name: "shop_refund",
      approvalRequired: true,
    });
  });

  test("the agent learns what became of its actions with the next question", async () => {
    const fake: FakeMcp = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const seen: unknown[] = [];
    const agent = createScriptedAgent(async function* ({ actions }) {
      seen.push(actions);
      if (actions.length === 0) yield REFUND;
      yield { type: "delta", text: "Yes." };
    });
    const t = await openTestService({ agents: [agent], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await t.service.settled();
    await answerTo(ann, id, (await stateOf(ann, id)).actionId);
    await t.service.settled();
    await ann.say(id, "And?");
    await t.service.settled();
    expect(seen).toEqual([
      [],
      [
        {
          tool: "shop_refund",
          input: INPUT,
          title: "Refund an order",
          state: "completed",
          text: "refund: done",
        },
      ],
    ]);
  });
});
