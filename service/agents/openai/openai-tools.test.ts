import { describe, expect, test } from "vitest";
import { openTestService } from "../../testing/test-service.ts";
import { shopOf } from "../../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../../tools/testing/test-toolbox.ts";
import type { Tool } from "../tool.ts";
import { chatAnswer, chatCall, chatEnd, type ModelReply } from "./testing/fake-model-server.ts";
import { ANSWER, hear, openAgent, startModel } from "./testing/openai-bench.ts";

describe("tools", () => {
  const lookUp = (run: () => Promise<unknown>): Tool => ({
    name: "shop.look_up",
    description: "Looks up an order.",
    inputSchema: { type: "object" },
    effect: "reads",
    run,
  });
  const cancel: Tool = {
    name: "shop.cancel",
    description: "Cancels an order.",
    inputSchema: { type: "object" },
    effect: "acts",
    confirm: "customer",
    accepts: () => true,
  };
  const calling = (name: string, input: object = { order: 7 }): ModelReply => ({
    chunks: [chatCall(name, input), chatEnd("tool_calls"), "data: [DONE]\n\n"],
  });

  test("a reading tool's result becomes a source, which the answer may name", async () => {
    const server = await startModel(
      calling("shop_look_up"),
      chatAnswer("It left on 24 May [2].", " It weighs 9 kg [2]."),
    );
    const ran: unknown[] = [];
    const tool: Tool = {
      ...lookUp(async () => ({ left: "24 May" })),
      effect: "reads",
      run: async (input) => ran.push(input) && { left: "24 May" },
    };
    const agent = await openAgent(server);
    const heard = await hear(agent, { text: "Xyzzy?", tools: [tool] });
    // Without a passage the tool's result is the first source, so [2] names no source.
    expect(heard.text).not.toContain("May");
    expect(ran).toEqual([{ order: 7 }]);
    server.reply(calling("shop_look_up"), chatAnswer("It left on 24 May [1].", " It weighs 9 kg [1]."));
    const again = await hear(agent, { text: "Xyzzy?", tools: [tool] });
    expect(again.text).toBe("It left on 24 May [1].");
    expect(again.events).toContainEqual({
      type: "citation",
      citation: { citationId: "tool-1", title: "shop.look_up" },
      isOwners: true,
    });
  });

  test("a source is called by the tool's title", async () => {
    const server = await startModel(calling("shop_look_up"), chatAnswer("It left [1].", ""));
    const tool = { ...lookUp(async () => "It left"), title: "Orders" };
    const { events } = await hear(await openAgent(server), { text: "Xyzzy?", tools: [tool] });
    expect(events).toContainEqual({
      type: "citation",
      citation: { citationId: "tool-1", title: "Orders" },
      isOwners: true,
    });
  });

  test("the model gets an action's result, and may report it with that source", async () => {
    const server = await startModel(chatAnswer("Refund 77 was paid [1]. ", "The second one was not [2]."));
    const title = "Refund an order";
    const { text, events } = await hear(await openAgent(server), {
      text: "Xyzzy?",
      actions: [
        { tool: "shop_refund", input: {}, title, state: "completed", text: "Refund 77 of 12 EUR" },
        { tool: "shop_refund", input: {}, title, state: "unknown" },
      ],
    });
    expect(server.calls[0]?.text).toContain("Verified: it was done.");
    expect(server.calls[0]?.text).toContain("Nobody knows whether it was done.");
    expect(text).toBe("Refund 77 was paid [1]. The second one was not [2].");
    expect(events).toContainEqual({
      type: "citation",
      citation: { citationId: "action-1", title },
      isOwners: true,
    });
  });

  test("an acting tool is only asked for, and the answer says that nothing was done", async () => {
    const server = await startModel(calling("shop_cancel"), chatAnswer("It is cancelled."));
    const heard = await hear(await openAgent(server), { text: "Xyzzy?", tools: [cancel] });
    const requests = heard.events.filter(({ type }) => type === "action.requested");
    expect(requests).toMatchObject([{ tool: "shop.cancel", input: { order: 7 } }]);
    expect(heard.text).toContain("Nothing has been done yet");
  });

  test("an action that the team decides about asks nothing of the customer", async () => {
    const server = await startModel(calling("shop_cancel"), chatAnswer("It is cancelled."));
    const tools: Tool[] = [{ ...cancel, confirm: "person" }];
    const heard = await hear(await openAgent(server), { text: "Xyzzy?", tools });
    expect(heard.text).toBe("Nothing has been done yet. A teammate has to decide first.");
    expect(server.calls[1]?.text).toContain("The team is asked to confirm it.");
  });

  test("an action that gets no card is not announced to the customer", async () => {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const server = await startModel(calling("shop_refund", { order: "1001" }), chatAnswer("Sure."));
    const t = await openTestService({ agents: [await openAgent(server)], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Xyzzy?");
    await t.service.settled();
    const { messages, actions = [] } = await ann.transcript(id);
    expect(actions).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ notice: "agent_found_nothing" });
    expect(server.calls[1]?.text).toContain("does not match the tool's schema");
  });

  test.each([
    ["does not exist", calling("refund")],
    ["fails", calling("shop_look_up")],
    [
      "gets no JSON",
      {
        chunks: [
          'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"shop_look_up","arguments":"{\\"or"}}]},"finish_reason":"tool_calls"}]}\n\n',
        ],
      },
    ],
  ])("the model hears that a tool %s, and goes on", async (_name, reply) => {
    const server = await startModel(reply, ANSWER);
    const tool = lookUp(() => Promise.reject(new Error("canary")));
    const heard = await hear(await openAgent(server), { tools: [tool] });
    expect(heard.text).toBe("It depends on the country [1].");
    expect(server.calls[1]?.text).not.toContain("canary");
    expect(heard.events.filter(({ type }) => type === "action.requested")).toEqual([]);
  });

  test("a model that only ever calls tools comes to an end", async () => {
    let runs = 0;
    const server = await startModel(calling("shop_look_up"));
    const tool = lookUp(async () => {
      runs += 1;
      return "x".repeat(100_000);
    });
    const heard = await hear(await openAgent(server), { tools: [tool] });
    expect(heard.events.at(-1)).toEqual({ type: "nothing.found" });
    expect(runs).toBeLessThanOrEqual(8);
    expect(server.calls).toHaveLength(5);
  });
});
