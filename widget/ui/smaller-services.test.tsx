import { describe, expect, it } from "vitest";
import { AT, createScriptedBff, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { startPanel } from "./testing-panel.tsx";

/** The panel before a service that offers only this. */
async function open(capabilities: ("turns" | "events" | "messages")[]) {
  const bff = createScriptedBff();
  bff.state.capabilities = capabilities;
  const panel = startPanel({}, startChat(bff));
  await panel.open();
  return { ...panel, placeholder: () => panel.box().placeholder };
}

describe("a service that has the seven endpoints alone", () => {
  it("is said to take one message and show no answer, before anybody types", async () => {
    const { root, text, placeholder } = await open([]);
    expect(placeholder()).toBe("Write one message to support");
    expect(text()).toContain("Replies won't appear here.");
    expect(text()).not.toContain("AI agent");
    expect(root.querySelector(".head .avatar")?.getAttribute("data-role")).toBe("system");
  });

  it("control: the whole service is not", async () => {
    const { root, text, placeholder } = await open(["turns", "events", "messages"]);
    expect(placeholder()).toBe("Write a message");
    expect(text()).toContain("You're chatting with our AI agent");
    expect(root.querySelector(".head .avatar")?.getAttribute("data-role")).toBe("agent");
  });

  it("says what can be done next; a second message is not carried, and its text kept", async () => {
    const { say, text, placeholder, log, all } = await open([]);
    await say("Where is my parcel?");
    expect(log()).toContain("Sent");
    expect(placeholder()).toBe("You can't send more messages here");
    expect(text()).toContain("You can't send more messages here.");
    await say("And when?");
    expect(log()).toContain("And when?");
    expect(log()).toContain("Not confirmed You can't send more messages here.");
    expect(all("button", "Talk to a person")).toHaveLength(1);
    expect(all("button", "End conversation")).toHaveLength(1);
  });

  it("after the end the kept text starts the next conversation", async () => {
    const { say, click, log, bff } = await open([]);
    await say("First");
    await say("Second");
    await click("button", "End conversation");
    await click("button", "End conversation");
    await click("button", "Retry");
    expect(bff.state.conversations).toBe(2);
    expect(log()).toContain("Second");
    expect(log()).toContain("Sent");
  });

  it("a person who was asked is not said to answer here", async () => {
    const { say, click, text } = await open([]);
    await say("First");
    await click("button", "Talk to a person");
    expect(text()).toContain("We've asked a teammate to join. Their replies won't appear here.");
    expect(text()).not.toContain("You can go on writing here");
    expect(text()).not.toContain("Waiting for a person");
  });

  it("what a subject might not hold can't be sent, and nothing of it is cut", async () => {
    const { type, key, box, text, bff } = await open([]);
    await type("x".repeat(1001));
    await key("Enter");
    expect(box().value).toHaveLength(1001);
    expect(text()).toContain("1 character over the limit.");
    expect(bff.calls("POST /api/conversation")).toEqual([]);
  });
});

describe("what the agent asks", () => {
  const ask = { type: "action.requested", at: AT, action: { actionId: "a1", name: "cancel_order" } } as const;
  const question = "Our AI agent asks for your permission: cancel order";

  it("is answered by the customer, and answered only when it was taken", async () => {
    const panel = await open(["turns"]);
    await panel.say("Cancel it");
    panel.bff.record({ ...ask, seq: panel.bff.nextSeq() });
    await panel.rest();
    expect(panel.get("group", question)).toBeDefined();
    panel.bff.script("POST /api/conversation/actions", () => problem("not_confirmed"));
    await panel.click("button", "Allow");
    expect(panel.log()).toContain("We couldn't confirm your answer.");
    expect(panel.text()).not.toContain("You allowed this.");
    await panel.click("button", "Allow");
    expect(panel.log()).toContain("You allowed this.");
    expect(panel.log()).not.toContain("couldn't confirm");
    expect(panel.all("button", "Allow")).toEqual([]);
    expect(panel.bff.calls("POST /api/conversation/actions").map(({ body }) => body)).toEqual([
      { actionId: "a1", approved: true },
      { actionId: "a1", approved: true },
    ]);
  });

  it("refused is said to be refused, in another tab too", async () => {
    const panel = await open(["turns"]);
    await panel.say("Cancel it");
    panel.bff.record({ ...ask, seq: panel.bff.nextSeq() });
    panel.bff.record({
      type: "action.answered",
      seq: panel.bff.nextSeq(),
      at: AT,
      actionId: "a1",
      approved: false,
    });
    await panel.rest();
    expect(panel.log()).toContain("You didn't allow this.");
    expect(panel.all("button", "Don't allow")).toEqual([]);
  });

  it("a person is suggested with the reason, and asked only by the customer", async () => {
    const panel = await open(["turns"]);
    await panel.say("Refund me");
    panel.bff.record({
      type: "handoff.suggested",
      seq: panel.bff.nextSeq(),
      at: AT,
      reason: "Refunds need a person",
    });
    await panel.rest();
    expect(panel.text()).toContain("Our AI agent suggests talking to a person: Refunds need a person");
    expect(panel.bff.calls("POST /api/conversation/handoff")).toEqual([]);
    await panel.click("button", "Talk to a person");
    expect(panel.get("dialog", "Chat").textContent).toContain("We've asked a teammate to join.");
    expect(panel.all("button", "Talk to a person")).toEqual([]);
  });
});
