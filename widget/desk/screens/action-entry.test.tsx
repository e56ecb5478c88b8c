import { render } from "preact";
import { afterEach, describe, expect, it } from "vitest";
import { all, everything, one } from "../testing/by-role.ts";
import { openedKit, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, waiting } from "../testing/samples.ts";
import { json, problem } from "../testing/scripted-service.ts";
import { DeskApp } from "./desk-app.tsx";

afterEach(() => {
  const root = document.getElementById("desk");
  if (root) render(null, root);
});

/** A desk with a conversation in which the agent asks for an action. */
async function show(confirm: "customer" | "person") {
  const kit = await openedKit(ANA);
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  let { lastSeq } = waiting();
  const push = async (event: object) => {
    lastSeq += 1;
    const whole = { seq: lastSeq, at: at(9), ...event };
    kit.service.push({ type: "conversation.event", conversationId: ANA, event: whole } as never);
    await settled();
  };
  const action = {
    actionId: "act_1",
    name: "shop_refund",
    title: "Refund an order",
    arguments: [{ label: "Order", value: "1001" }],
    confirm,
  };
  await push({ type: "action.requested", action });
  await until(() => everything().includes("Refund an order"));
  return { kit, push };
}

const ROUTE = `POST /conversations/${ANA}/actions`;

describe("ACT1 an action at the desk", () => {
  it("the team decides: the card shows all of it, and says done only after the event", async () => {
    const { kit, push } = await show("person");
    expect(everything()).toContain("The AI agent asked to do this: Refund an order");
    expect([...document.querySelectorAll("dl > div")].map((row) => row.textContent)).toContain("Order1001");
    kit.service.script(ROUTE, () => json({ action: { id: "act_1", approved: true } }));
    one("button", "Allow").click();
    await settled();
    expect(kit.service.calls.find(({ route }) => route === ROUTE)?.body).toEqual({
      actionId: "act_1",
      approved: true,
    });
    expect(everything()).not.toContain("Done");
    await push({ type: "action.answered", actionId: "act_1", approved: true, by: "human" });
    await until(() => all("button", "Allow").length === 0);
    expect(everything()).toContain("In progress…");
    await push({ type: "action.completed", actionId: "act_1", text: "Refund 77" });
    await until(() => everything().includes("Done: Refund 77"));
    expect(everything()).not.toContain("In progress…");
    expect(everything()).toContain("Allowed by the team");
  });

  it("SAY2 the focus goes from the pressed button to the card once the buttons are gone", async () => {
    const { kit, push } = await show("person");
    kit.service.script(ROUTE, () => json({ action: { id: "act_1", approved: true } }));
    one("button", "Allow").focus();
    one("button", "Allow").click();
    await settled();
    await push({ type: "action.answered", actionId: "act_1", approved: true, by: "human" });
    await until(() => all("button", "Allow").length === 0);
    expect(document.activeElement?.getAttribute("aria-label")).toContain("Refund an order");
  });

  it("an answer that is not confirmed is shown as a doubt, and can be given again", async () => {
    const { kit } = await show("person");
    kit.service.script(ROUTE, () => problem("unavailable"));
    one("button", "Don't allow").click();
    await until(() => everything().includes("We couldn't confirm your answer."));
    expect(all("button", "Allow")).toHaveLength(1);
  });

  it.each([
    ["forbidden", "The time to answer has passed.", "The time to answer has passed."],
    ["key_reused", "This message id was used.", "This has already been answered the other way."],
  ] as const)("DESK26 an answer refused with %s says why, and no doubt", async (code, detail, why) => {
    const { kit } = await show("person");
    kit.service.script(ROUTE, () => problem(code, { detail }));
    one("button", "Allow").click();
    await until(() => all("alert", why).length === 2);
    expect(everything()).not.toContain("couldn't confirm");
  });

  it("a confirmation of another action confirms nothing", async () => {
    const { kit } = await show("person");
    kit.service.script(ROUTE, () => json({ action: { id: "act_2", approved: true } }));
    one("button", "Allow").click();
    await until(() => everything().includes("We couldn't confirm your answer."));
  });

  it("has no buttons where the customer decides", async () => {
    const { push } = await show("customer");
    expect(all("button", "Allow")).toEqual([]);
    expect(everything()).toContain("The customer decides.");
    await push({ type: "action.unknown", actionId: "act_1" });
    await until(() => everything().includes("We don't know whether this was done."));
  });
});
