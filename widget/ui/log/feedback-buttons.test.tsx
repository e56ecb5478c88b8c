import type { Signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../shared/message.ts";
import type { Identity } from "../../app/identity.ts";
import { expire } from "../../app/testing/expire.ts";
import { createScriptedBff, FAULTS, json, problem } from "../../app/testing/scripted-bff.ts";
import { startChat } from "../../app/testing/start-chat.ts";
import { startPanel } from "../testing-panel.tsx";

const FEEDBACK = "POST /api/conversation/feedback";
const DOUBT = "We couldn't confirm your rating.";

/** A panel with a conversation in which the agent has answered once. */
async function open(more: Partial<Message> = {}, capabilities = ["feedback"]) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, ...capabilities];
  const panel = startPanel({}, startChat(bff));
  await panel.open();
  await panel.say("How long?");
  bff.say("Two days.", more);
  await panel.rest();
  const pressed = () =>
    ["Helpful", "Not helpful"].flatMap((name) =>
      panel.all("button", name).map((button) => button.getAttribute("aria-pressed")),
    );
  return { ...panel, pressed, sent: () => bff.calls(FEEDBACK).map(({ body }) => body) };
}

describe("HELP2 the thumbs under an answer", () => {
  it("give a score, change it and take it back, each shown once it is confirmed", async () => {
    const panel = await open();
    expect(panel.pressed()).toEqual(["false", "false"]);
    await panel.click("button", "Helpful");
    expect(panel.pressed()).toEqual(["true", "false"]);
    await panel.click("button", "Not helpful");
    expect(panel.pressed()).toEqual(["false", "true"]);
    await panel.click("button", "Not helpful");
    expect(panel.pressed()).toEqual(["false", "false"]);
    const messageId = panel.chat.conversation.log.value.messages.at(-1)?.id;
    expect(panel.sent()).toEqual(["up", "down", null].map((score) => ({ messageId, score })));
  });

  it("show nothing as given before the answer, and a second press meanwhile sends nothing", async () => {
    const panel = await open();
    const { promise, resolve } = Promise.withResolvers<Response>();
    panel.bff.script(FEEDBACK, () => promise);
    await panel.click("button", "Helpful");
    expect(panel.pressed()).toEqual(["false", "false"]);
    expect(panel.get("button", "Helpful").getAttribute("aria-disabled")).toBe("true");
    await panel.click("button", "Not helpful");
    expect(panel.sent()).toHaveLength(1);
    const messageId = panel.sent()[0]?.messageId;
    await act(() => resolve(json(200, { feedback: { messageId, score: "up" } })));
    await panel.rest();
    expect(panel.pressed()).toEqual(["true", "false"]);
    expect(panel.get("button", "Helpful").getAttribute("aria-disabled")).toBeNull();
  });

  it.each([
    ...Object.entries(FAULTS),
    ["another score", () => json(200, { feedback: { messageId: "m3", score: "down" } })] as const,
    ["another answer", () => json(200, { feedback: { messageId: "m9", score: "up" } })] as const,
  ])(
    "TRUTH1 %s: nothing is shown as given; the doubt is read and said, and Retry repeats it",
    async (_, fault) => {
      const panel = await open();
      panel.bff.script(FEEDBACK, fault);
      await panel.click("button", "Helpful");
      expect(panel.pressed()).toEqual(["false", "false"]);
      expect(panel.log()).toContain(DOUBT);
      expect(panel.get("alert").textContent).toContain(DOUBT);
      await panel.click("button", "Retry");
      expect(panel.sent()[1]).toEqual(panel.sent()[0]);
      expect(panel.pressed()).toEqual(["true", "false"]);
      expect(panel.log()).not.toContain(DOUBT);
    },
  );

  it("TRUTH1 a doubt stays when the site identifies the same customer again", async () => {
    const panel = await open();
    panel.bff.script(FEEDBACK, () => problem("not_confirmed"));
    await panel.click("button", "Helpful");
    const who = panel.chat.identity.who as Signal<Identity>;
    const known = who.value;
    await act(() => {
      who.value = { kind: "changing" };
    });
    expect(panel.text()).not.toContain(DOUBT);
    await act(() => {
      who.value = known;
    });
    expect(panel.log()).toContain(DOUBT);
    await panel.click("button", "Retry");
    expect(panel.pressed()).toEqual(["true", "false"]);
  });

  it("OUT4 a doubt stays beside the words that the session has expired", async () => {
    const panel = await open();
    panel.bff.script(FEEDBACK, () => problem("not_confirmed"));
    await panel.click("button", "Helpful");
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    await act(async () => void (await panel.chat.session.refresh()));
    expect(panel.log()).not.toContain(DOUBT);
    expect(panel.root.querySelector(".strips")?.textContent).toContain(`${DOUBT}Your session has expired.`);
  });

  it("TRUTH1 an answer that the service does not have: the refusal is read and said, without Retry", async () => {
    const panel = await open();
    panel.bff.script(FEEDBACK, () => problem("not_found"));
    await panel.click("button", "Helpful");
    expect(panel.pressed()).toEqual(["false", "false"]);
    expect(panel.log()).toContain(DOUBT);
    expect(panel.get("alert").textContent).toContain(DOUBT);
    expect(panel.all("button", "Retry")).toEqual([]);
    await panel.click("button", "Helpful");
    expect(panel.pressed()).toEqual(["true", "false"]);
  });

  it("the stream's proof counts although the answer was lost", async () => {
    const panel = await open();
    const { promise, reject } = Promise.withResolvers<Response>();
    panel.bff.script(FEEDBACK, ({ body: { messageId = "" } }) => {
      panel.bff.signal({ type: "feedback.changed", feedback: { messageId, score: "up" } });
      return promise;
    });
    await panel.click("button", "Helpful");
    await expect.poll(panel.pressed).toEqual(["true", "false"]);
    await act(() => reject(new TypeError("Failed to fetch")));
    await panel.rest();
    expect(panel.log()).not.toContain(DOUBT);
    expect(panel.get("button", "Helpful").getAttribute("aria-disabled")).toBeNull();
  });

  it("TRUTH1 a late answer does not undo what another screen gave afterwards", async () => {
    const panel = await open();
    const { promise, resolve } = Promise.withResolvers<Response>();
    panel.bff.script(FEEDBACK, () => promise);
    await panel.click("button", "Helpful");
    const { messageId = "" } = panel.sent()[0] ?? {};
    for (const score of ["up", "down"] as const)
      await act(() => panel.bff.signal({ type: "feedback.changed", feedback: { messageId, score } }));
    await panel.rest();
    await act(() => resolve(json(200, { feedback: { messageId, score: "up" } })));
    await panel.rest();
    expect(panel.pressed()).toEqual(["false", "true"]);
    expect(panel.get("button", "Helpful").getAttribute("aria-disabled")).toBeNull();
  });

  it("hide one customer's press from the next one", async () => {
    const panel = await open();
    const { promise, resolve } = Promise.withResolvers<Response>();
    panel.bff.script(FEEDBACK, () => promise);
    await panel.click("button", "Helpful");
    await act(() => void panel.chat.identity.logout());
    await panel.rest();
    await act(() => resolve(problem("support_timeout")));
    await panel.rest();
    expect(panel.text()).not.toContain(DOUBT);
    expect(
      panel
        .all("alert")
        .map((one) => one.textContent)
        .join(),
    ).not.toContain(DOUBT);
  });

  it.each<[string, (panel: Awaited<ReturnType<typeof open>>) => unknown]>([
    [
      "its customer's logout",
      (panel) => {
        expire(panel.bff);
        return panel.chat.identity.logout();
      },
    ],
    ["its end", ({ bff }) => bff.end()],
    [
      "its session's expiry",
      (panel) => {
        expire(panel.bff);
        return panel.chat.session.refresh();
      },
    ],
  ])("hide a doubt in one conversation from the next one, where ids repeat, after %s", async (_, leave) => {
    const panel = await open();
    const late = Promise.withResolvers<Response>();
    panel.bff.script(
      FEEDBACK,
      () => problem("not_confirmed"),
      () => late.promise,
    );
    await panel.click("button", "Helpful");
    await panel.click("button", "Retry");
    const { id } = panel.chat.conversation.log.value.messages.at(-1) ?? {};
    await act(async () => void (await leave(panel)));
    await panel.open();
    await panel.say("And express?");
    panel.bff.say("One day.");
    await panel.rest();
    expect(panel.chat.conversation.log.value.messages.at(-1)?.id).toBe(id);
    expect(panel.get("button", "Helpful").getAttribute("aria-disabled")).toBeNull();
    await act(() => late.resolve(problem("not_confirmed")));
    await panel.rest();
    expect(panel.log()).not.toContain(DOUBT);
    expect(panel.pressed()).toEqual(["false", "false"]);
  });

  it("follow what another screen gives, also on an answer further up, without drawing it again", async () => {
    const panel = await open();
    const { id: messageId = "" } = panel.chat.conversation.log.value.messages.at(-1) ?? {};
    await panel.say("And express?");
    await panel.say("Thanks");
    const element = panel.get("button", "Helpful");
    await act(() => panel.bff.signal({ type: "feedback.changed", feedback: { messageId, score: "down" } }));
    await panel.rest();
    expect(panel.pressed()).toEqual(["false", "true"]);
    expect(panel.get("button", "Helpful")).toBe(element);
  });

  it("show what was given before, after a reload", async () => {
    const panel = await open({ feedback: "down" });
    expect(panel.pressed()).toEqual(["false", "true"]);
  });

  it("stay after the end", async () => {
    const panel = await open();
    panel.bff.end();
    await panel.rest();
    await panel.click("button", "Helpful");
    expect(panel.pressed()).toEqual(["true", "false"]);
  });

  it.each<[string, Partial<Message>]>([
    ["a person's message", { role: "human" }],
    ["a note of the chat", { role: "system" }],
    ["an answer that was cut off", { incomplete: true }],
  ])("are not under %s", async (_, more) => {
    expect((await open(more)).pressed()).toEqual([]);
  });

  it("are not under an answer in progress", async () => {
    const panel = await open({ role: "human" });
    await act(() => panel.bff.signal({ type: "response.delta", messageId: "m9", delta: "Two" }));
    await panel.rest();
    expect(panel.log()).toContain("Two");
    expect(panel.pressed()).toEqual([]);
  });

  it("LESS1 are not there if the service takes no feedback", async () => {
    expect((await open({}, [])).pressed()).toEqual([]);
  });
});
