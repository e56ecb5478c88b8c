import { describe, expect, it } from "vitest";
import type { ActionStatus } from "../../../shared/action.ts";
import { AT, createScriptedBff, problem } from "../../app/testing/scripted-bff.ts";
import { startChat } from "../../app/testing/start-chat.ts";
import { startPanel } from "../testing-panel.tsx";

const ACTION = {
  actionId: "a1",
  name: "shop_refund",
  title: "Refund an order",
  arguments: [
    { label: "Order", value: "1001" },
    { label: "Amount", value: "12.5" },
  ],
  confirm: "customer" as "customer" | "person",
  expiresAt: AT,
};
const QUESTION = "Our AI agent asks for your permission: Refund an order";

/** A panel with a conversation in which the agent asks for an action. */
async function open(more: Partial<typeof ACTION> = {}) {
  const bff = createScriptedBff();
  const panel = startPanel({}, startChat(bff));
  await panel.open();
  await panel.say("Refund it");
  const record = async (event: object) => {
    bff.record({ ...event, seq: bff.nextSeq(), at: AT } as never);
    await panel.rest();
  };
  await record({ type: "action.requested", action: { ...ACTION, ...more } });
  const end = (status: ActionStatus, text?: string) =>
    record({ type: `action.${status}`, actionId: "a1", ...(text ? { text } : {}) });
  return { ...panel, record, end };
}

describe("the card of an action", () => {
  it("shows exactly what would be done: the tool's title and each argument", async () => {
    const panel = await open();
    const card = panel.get("group", QUESTION);
    const rows = [...card.querySelectorAll("dl > div")].map((row) => row.textContent);
    expect(rows).toEqual(["Order1001", "Amount12.5"]);
    expect(panel.get("status").textContent).toContain(QUESTION);
    expect(panel.all("button", "Allow")).toHaveLength(1);
    expect(panel.all("button", "Don't allow")).toHaveLength(1);
  });

  it("says done only after the event of the log, with the tool's own answer, for eyes and screen readers", async () => {
    const panel = await open();
    await panel.click("button", "Allow");
    expect(panel.log()).toContain("You allowed this.");
    expect(panel.text()).not.toMatch(/\bdone\b/i);
    await panel.end("completed", "Refund 77 of 12.50 EUR");
    expect(panel.get("group", QUESTION).textContent).toMatch(/Done\.Refund 77 of 12\.50 EUR$/);
    expect(panel.get("status").textContent).toContain("Done. Refund 77 of 12.50 EUR");
    expect(panel.all("button", "Allow")).toEqual([]);
  });

  it.each([
    ["failed", "This wasn't done."],
    ["expired", "The time to answer has passed. Nothing was done."],
  ] as const)("does not say done when it %s", async (status, words) => {
    const panel = await open();
    await panel.end(status);
    expect(panel.get("group", QUESTION).textContent).toContain(words);
    expect(panel.text()).not.toContain("Done.");
    expect(panel.all("button", "Allow")).toEqual([]);
  });

  it("says doubt as doubt, urgently, with a way on and without a way to repeat it", async () => {
    const panel = await open();
    await panel.click("button", "Allow");
    await panel.end("unknown");
    const words = "We don't know whether this happened. Talk to a person before you try again.";
    expect(panel.get("group", QUESTION).textContent).toContain(words);
    expect(panel.get("alert").textContent).toContain(words);
    expect(panel.all("button", "Allow")).toEqual([]);
    expect(panel.all("button", "Talk to a person")).toHaveLength(1);
  });

  it("the first result counts: a later one changes nothing", async () => {
    const panel = await open();
    await panel.end("unknown");
    await panel.end("completed");
    expect(panel.text()).not.toContain("Done.");
  });

  it("an answer that can't be confirmed is shown as a doubt, and the buttons stay", async () => {
    const panel = await open();
    panel.bff.script("POST /api/conversation/actions", () => problem("support_timeout"));
    await panel.click("button", "Allow");
    expect(panel.log()).toContain("We couldn't confirm your answer.");
    expect(panel.text()).not.toMatch(/You allowed this|Done/);
    expect(panel.all("button", "Allow")).toHaveLength(1);
  });

  it.each([
    ["key_reused", { approved: true }, "You allowed this."],
    ["forbidden", { result: { status: "expired" } }, "The time to answer has passed. Nothing was done."],
  ] as const)(
    "an answer refused with %s is not said as doubt, because the log says why",
    async (code, end, words) => {
      const panel = await open();
      panel.bff.script("POST /api/conversation/actions", () => problem(code));
      panel.bff.state.actions = [{ ...ACTION, seq: 3, at: AT, ...end }];
      await panel.click("button", "Don't allow");
      await panel.rest();
      expect(panel.get("group", QUESTION).textContent).toContain(words);
      expect(panel.text()).not.toContain("We couldn't confirm your answer.");
      expect(panel.all("button", "Allow")).toEqual([]);
    },
  );

  it("a refused answer is a doubt where the log can't be read, and the buttons stay", async () => {
    const panel = await open();
    panel.bff.script("POST /api/conversation/actions", () => problem("key_reused"));
    const cut = () => Promise.reject(new TypeError("Failed to fetch"));
    panel.bff.script("POST /api/session", cut, cut);
    await panel.click("button", "Allow");
    await panel.rest();
    expect(panel.log()).toContain("We couldn't confirm your answer.");
    expect(panel.all("button", "Allow")).toHaveLength(1);
  });

  it("has no buttons where the team decides, and does not claim that the customer answered", async () => {
    const panel = await open({ confirm: "person" });
    expect(panel.get("group", "Our AI agent asks our team for permission: Refund an order")).toBeDefined();
    expect(panel.all("button", "Allow")).toEqual([]);
    expect(panel.log()).toContain("Waiting for a person");
    await panel.record({ type: "action.answered", actionId: "a1", approved: false, by: "human" });
    expect(panel.log()).toContain("This wasn't done.");
    expect(panel.log()).not.toContain("Waiting for a person");
    expect(panel.log()).not.toContain("You didn't allow");
  });

  it("is in progress once the team allowed it", async () => {
    const panel = await open({ confirm: "person" });
    await panel.record({ type: "action.answered", actionId: "a1", approved: true, by: "human" });
    expect(panel.log()).toContain("In progress…");
    expect(panel.log()).not.toContain("Sending…");
  });

  it.each(['{"id":"re_1","status":"succeeded"}', '[ {"id": 5', "[]", "{\n}"])(
    "does not show or announce what a tool said for programs: %s",
    async (text) => {
      const panel = await open();
      await panel.end("completed", text);
      expect(panel.get("group", QUESTION).textContent).toMatch(/Done\.$/);
      expect(panel.get("status").textContent).toMatch(/Done\.$/);
    },
  );

  it("shows a sentence that begins with a bracket", async () => {
    const panel = await open();
    await panel.end("completed", "[Order 17] was paid back.");
    expect(panel.log()).toContain("[Order 17] was paid back.");
  });

  it("is whole after a reload", async () => {
    const { bff } = await open();
    const result = { status: "completed" as const, text: "Refund 77" };
    const actions = [{ ...ACTION, seq: 3, at: AT, approved: true, result }];
    if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, actions };
    const again = startPanel({}, startChat(bff));
    await again.open();
    expect(again.get("group", QUESTION).textContent).toContain("Order1001");
    expect(again.log()).toContain("Done. Refund 77");
  });
});
