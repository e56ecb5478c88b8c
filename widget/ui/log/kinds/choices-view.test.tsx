import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import type { Choices } from "../../../../shared/message-kinds/choices.ts";
import { startTalk } from "../../testing-panel.tsx";

const RETURNS = { id: "a", label: "Returns", send: "How do I return something?" };
const PERSON = { id: "b", choice: "handoff" } as const;

type Panel = Awaited<ReturnType<typeof startTalk>>;

async function offer(choices: Choices, panel?: Panel) {
  const talk = panel ?? (await startTalk());
  talk.bff.say("I found two articles.", { choices });
  await talk.rest();
  return talk;
}

const inGroup = (panel: Panel, name: string) => {
  const button = [...panel.get("group", "Quick replies").querySelectorAll("button")].find(
    (one) => one.textContent === name,
  );
  if (!button) throw new Error(`no choice ${name}`);
  return button;
};

async function press(panel: Panel, name: string) {
  await act(() => inGroup(panel, name).click());
  await panel.rest();
}

describe("quick replies", () => {
  it("are buttons in a group with a short name, each named by its label", async () => {
    const panel = await offer([RETURNS, { id: "c", label: "A colleague", choice: "handoff" }]);
    const buttons = [...panel.get("group", "Quick replies").querySelectorAll("button")];
    expect(buttons.map((button) => [button.type, button.textContent, button.disabled])).toEqual([
      ["button", "Returns", false],
      ["button", "A colleague", false],
    ]);
    expect(panel.get("status").textContent).toContain("Quick replies: Returns, A colleague");
  });

  it("a press sends the customer's reply and moves the focus back to the text box", async () => {
    const panel = await offer([RETURNS]);
    await press(panel, "Returns");
    const sent = panel.bff.calls("POST /api/conversation/messages").map(({ body }) => body.body);
    expect(sent).toEqual(["How do I return something?"]);
    expect(panel.log()).toContain("How do I return something?");
    expect(document.activeElement).toBe(panel.box());
  });

  it("are used once: with another message after them they stay readable and can't be pressed", async () => {
    const panel = await offer([RETURNS]);
    await press(panel, "Returns");
    expect(inGroup(panel, "Returns").disabled).toBe(true);
    inGroup(panel, "Returns").click();
    await panel.rest();
    expect(panel.bff.calls("POST /api/conversation/messages")).toHaveLength(1);
  });

  it("the customer's own message disables them while it is still on its way", async () => {
    const panel = await offer([RETURNS]);
    panel.bff.script("POST /api/conversation/messages", () => new Promise(() => undefined));
    await panel.say("Something else");
    expect(inGroup(panel, "Returns").disabled).toBe(true);
  });

  it("a choice without a label asks for a person, in the panel's own language, and only once", async () => {
    const panel = await offer([PERSON]);
    await press(panel, "Talk to a person");
    expect(panel.bff.calls("POST /api/conversation/handoff")).toHaveLength(1);
    expect(panel.log()).toContain("We've asked a teammate to join");
    expect(inGroup(panel, "Talk to a person").disabled).toBe(true);
  });

  it("a request for a person that failed can be made again, and nothing claims that it was made", async () => {
    const panel = await offer([PERSON]);
    panel.bff.script("POST /api/conversation/handoff", () => new Response("no", { status: 500 }));
    await press(panel, "Talk to a person");
    expect(panel.log()).not.toContain("We've asked a teammate to join");
    expect(inGroup(panel, "Talk to a person").disabled).toBe(false);
  });

  it("HAND2 nobody answers them while a person was asked for or is there, so they can't be pressed until the agent is back", async () => {
    const panel = await offer([RETURNS]);
    await panel.click("button", "Talk to a person");
    expect(inGroup(panel, "Returns").disabled).toBe(true);
    panel.bff.setHandoff("accepted", "Mira Holm");
    await panel.rest();
    expect(inGroup(panel, "Returns").disabled).toBe(true);
    panel.bff.setHandoff("returned");
    await panel.rest();
    expect(inGroup(panel, "Returns").disabled).toBe(false);
  });

  it("an ended conversation disables them", async () => {
    const panel = await offer([RETURNS, PERSON]);
    panel.bff.end();
    await panel.rest();
    expect(inGroup(panel, "Returns").disabled).toBe(true);
    expect(inGroup(panel, "Talk to a person").disabled).toBe(true);
  });

  it("labels are text: markup in them is not read", async () => {
    const panel = await offer([{ id: "x", label: "<img src=x onerror=alert(1)>", send: "x" }]);
    expect(inGroup(panel, "<img src=x onerror=alert(1)>").querySelector("img")).toBeNull();
  });
});
