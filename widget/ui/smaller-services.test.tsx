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

describe("a service with only the seven endpoints", () => {
  it("the panel says before anybody types that it takes one message and shows no replies", async () => {
    const { root, text, placeholder } = await open([]);
    expect(placeholder()).toBe("Write one message to support");
    expect(text()).toContain("Replies won't appear here.");
    expect(text()).not.toContain("AI agent");
    expect(root.querySelector(".head .avatar")?.getAttribute("data-role")).toBe("system");
  });

  it("control: with a whole service the panel does not say this", async () => {
    const { root, text, placeholder } = await open(["turns", "events", "messages"]);
    expect(placeholder()).toBe("Write a message");
    expect(text()).toContain("You're chatting with our AI agent");
    expect(root.querySelector(".head .avatar")?.getAttribute("data-role")).toBe("agent");
  });

  it("the panel says what the customer can do next; a second message is not carried, and its text stays", async () => {
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

  it("after the end the text that stayed starts the next conversation", async () => {
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

  it("the panel does not claim that a person who was asked will answer here", async () => {
    const { say, click, text } = await open([]);
    await say("First");
    await click("button", "Talk to a person");
    expect(text()).toContain("We've asked a teammate to join. Their replies won't appear here.");
    expect(text()).not.toContain("You can go on writing here");
    expect(text()).not.toContain("Waiting for a person");
  });

  it("a text that may not fit into a subject can't be sent, and is not cut", async () => {
    const { type, key, box, text, bff } = await open([]);
    await type("x".repeat(1001));
    await key("Enter");
    expect(box().value).toHaveLength(1001);
    expect(text()).toContain("1 character over the limit.");
    expect(bff.calls("POST /api/conversation")).toEqual([]);
  });
});

describe("LESS7 a conversation that the service lost", () => {
  const fallback = { kind: "mail", href: "mailto:help@shop.example" };

  /** The panel after the service answered the end, and a message that it can't take, with a loss. */
  async function lose() {
    const panel = await open([]);
    panel.bff.script("GET /api/config", () => Response.json({ identityPolicy: "optional", fallback }));
    await panel.say("First");
    await panel.say("Second");
    panel.bff.script("DELETE /api/conversation", () => {
      panel.bff.state.conversation = null;
      return problem("no_conversation");
    });
    await panel.click("button", "End conversation");
    await panel.click("button", "End conversation");
    const strips = () => panel.root.querySelector(".strips")?.textContent;
    return { ...panel, strips };
  }

  it("a lost conversation is not called ended; the panel offers a new one and the owner's fallback", async () => {
    const { root, text, all, get, placeholder, strips } = await lose();
    expect(strips()).toContain("Support no longer has this conversation.");
    expect(strips()).not.toContain("can't send more messages here");
    expect(text()).not.toMatch(/\bended\b|is over/);
    expect(get("alert").textContent).toContain("Support no longer has this conversation.");
    expect(root.querySelector(".status")?.textContent).toBe("Support no longer has this conversation.");
    expect(placeholder()).toBe("Write one message to support");
    expect(all("button", "Start a new conversation")).toHaveLength(1);
    expect(all("link", "Send us an e-mail")).toHaveLength(1);
    expect([...all("button", "End conversation"), ...all("button", "Talk to a person")]).toEqual([]);
  });

  it("a new conversation replaces a lost one, and gets the unconfirmed text", async () => {
    const { click, log, bff, box, strips } = await lose();
    await click("button", "Start a new conversation");
    expect(bff.state.conversations).toBe(2);
    expect(log()).toMatch(/Second.*Sent/);
    expect(log()).not.toContain("First");
    expect(strips()).not.toContain("no longer has");
    expect(document.activeElement).toBe(box());
    const sent = bff.calls("POST /api/conversation").map(({ body }) => body.body);
    expect(sent).toEqual(["First", "Second"]);
  });

  it("a new message also starts a conversation in place of a lost one", async () => {
    const { say, get, log, bff, strips } = await lose();
    await say("Third");
    expect(bff.state.conversations).toBe(2);
    expect(get("status").textContent).toMatch(/Message sent\.$/);
    expect(log()).toMatch(/Third.*Second Not confirmed/);
    expect(strips()).not.toContain("no longer has");
  });

  it("control: an unconfirmed end still has its Retry", async () => {
    const { say, click, all, bff, text } = await open([]);
    await say("First");
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await click("button", "End conversation");
    await click("button", "End conversation");
    expect(text()).toContain("It may still be open.");
    expect(all("button", "Retry")).toHaveLength(1);
    expect(all("button", "Start a new conversation")).toEqual([]);
  });
});

describe("LESS1 nobody is announced who can't answer", () => {
  it("without a session neither agent nor person is announced; with one the agent is", async () => {
    const bff = createScriptedBff();
    bff.script("POST /api/session", () => problem("support_unreachable"));
    const panel = startPanel({}, startChat(bff));
    await panel.open();
    expect(panel.text()).not.toMatch(/AI agent|ask for a person/);
    expect(panel.all("button", "Talk to a person")).toEqual([]);
    expect(panel.root.querySelector(".head .avatar")?.getAttribute("data-role")).toBe("system");
    await panel.click("button", "Retry");
    expect(panel.text()).toContain("Answers come from an AI agent.");
    expect(panel.all("button", "Talk to a person")).toHaveLength(1);
  });

  it.each([[[]], [["turns", "events", "messages"]]] as ("turns" | "events" | "messages")[][][])(
    "the panel does not claim that the agent is back after a failed hand-off, with capabilities %j",
    async (capabilities) => {
      const panel = await open(capabilities);
      await panel.say("First");
      await panel.click("button", "Talk to a person");
      panel.bff.setHandoff("failed");
      await panel.rest();
      expect(panel.text()).toContain("Nobody was available.");
      expect(panel.text()).not.toContain("You're back with");
    },
  );
});

describe("the owner's fallback", () => {
  it("the fallback is offered after a refused message, and disappears once it was sent", async () => {
    const panel = await open(["turns", "events", "messages"]);
    const fallback = { kind: "phone", href: "tel:+15550100" };
    panel.bff.script("GET /api/config", () => Response.json({ identityPolicy: "optional", fallback }));
    panel.bff.script("POST /api/conversation", () => problem("support_refused"));
    await panel.say("First");
    expect(panel.get("link", "Call us").getAttribute("href")).toBe("tel:+15550100");
    await panel.click("button", "Retry");
    expect(panel.log()).toContain("Sent");
    expect(panel.all("link", "Call us")).toEqual([]);
  });
});

describe("requests of the agent", () => {
  const ask = { type: "action.requested", at: AT, action: { actionId: "a1", name: "cancel_order" } } as const;
  const question = "Our AI agent asks for your permission: cancel order";

  it("an answer to the agent's question is shown only after the service accepted it", async () => {
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

  it("a refused action is shown as refused, also in another tab", async () => {
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

  it("the agent's suggestion of a person shows its reason, and only the customer asks for one", async () => {
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
