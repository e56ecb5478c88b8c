import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { createExtrasClient } from "../app/extras-client.ts";
import { SummaryModel } from "../app/summary-model.ts";
import { AT, createScriptedBff, FAULTS, json, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { conversationPart } from "./conversation-part.ts";
import { SummaryOffer } from "./summary-offer.tsx";
import { extrasOf, startPanel } from "./testing-panel.tsx";

const PROPOSE = "GET /api/conversation/summary";
const SEND = "POST /api/conversation/summary";
const OFFER = "Add a summary for our team";
const SENT = "Summary sent to our team";
const HANDOFF = "handoff-1";
const LINES = ["The lamp is broken.", "Order 48213."];

const proposal = (more: object = {}) => {
  const sentences = LINES.map((text) => ({ text, seq: 2 }));
  return () => json(200, { summary: { handoffId: HANDOFF, sentences, ...more } });
};
const accept =
  (text: string, handoffId = HANDOFF) =>
  () =>
    json(200, { summary: { handoffId, sentences: text.split("\n").map((line) => ({ text: line })) } });

/** A customer who waits for a person, at a service that takes summaries if it declares it. */
async function startWaiting({ isTaken = true } = {}) {
  const bff = createScriptedBff();
  if (isTaken) bff.state.capabilities = [...bff.state.capabilities, "summary"];
  const started = startChat(bff);
  const { chat } = started;
  const client = createExtrasClient({ fetch: bff.fetch }, chat.client, () =>
    Promise.reject(new Error("no file")),
  );
  const summary = new SummaryModel({ client, chat });
  const extras = extrasOf({
    isSummaryOpen: summary.isOpen,
    Summary: () => <SummaryOffer summary={summary} />,
  });
  const panel = startPanel({}, started, signal(conversationPart), {}, extras);
  await panel.open();
  await panel.say("Hello");
  await panel.click("button", "Talk to a person");
  const form = () => panel.root.querySelector<HTMLTextAreaElement>("[class*=contact] textarea");
  const write = async (text: string) => {
    await act(() => {
      const input = form() as HTMLTextAreaElement;
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  const press = async (name: string) => {
    const buttons = [...(form()?.form?.querySelectorAll("button") ?? [])];
    const button = buttons.find((one) => one.textContent === name);
    if (!button) throw new Error(`the buttons are ${buttons.map((one) => one.textContent).join()}`);
    await act(() => button.click());
    await panel.rest();
  };
  const open = async (answer: Parameters<typeof bff.script>[1] = proposal()) => {
    bff.script(PROPOSE, answer);
    await panel.click("button", OFFER);
  };
  return { ...panel, bff, form, write, press, open };
}

describe("HAND6 a customer who waits for a person", () => {
  it("sees what the service proposes, may change it, and reads that it was sent once the service said so", async () => {
    const panel = await startWaiting();
    expect(panel.bff.calls(PROPOSE)).toEqual([]);
    await panel.open();
    expect(document.activeElement).toBe(panel.form());
    expect(panel.form()?.labels?.[0]?.textContent).toBe(OFFER);
    expect(panel.form()?.value).toBe(LINES.join("\n"));
    const hint = panel.form()?.getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(hint)?.textContent).toContain("Our team sees it only once you send it.");
    expect(panel.bff.calls(SEND)).toEqual([]);
    // The composer has a button with the same word.
    expect(panel.get("button", "Send")).not.toBe(panel.get("button", `Send ${OFFER}`));
    const changed = `${LINES[0]}\nIt is urgent.`;
    await panel.write(`${changed}\n`);
    panel.bff.script(SEND, accept(changed));
    await panel.press("Send");
    expect(panel.bff.calls(SEND).map(({ body }) => body)).toEqual([{ handoffId: HANDOFF, text: changed }]);
    expect(panel.text()).toContain(`${SENT}.`);
    expect(panel.get("status").textContent).toContain(`${SENT}.`);
    expect(panel.form()).toBeNull();
    expect(panel.all("button", OFFER)).toEqual([]);
    expect(document.activeElement).toBe(panel.get("textbox", "Message"));
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`TRUTH1 ${name}: the text stays in its box with Retry, and nothing says that it was sent`, async () => {
      const panel = await startWaiting();
      await panel.open();
      await panel.write("It is urgent.");
      panel.bff.script(SEND, fault);
      await panel.press("Send");
      expect(panel.form()?.value).toBe("It is urgent.");
      expect(panel.text()).toContain("Not confirmed.");
      expect(panel.get("alert").textContent).toContain("Not confirmed.");
      expect(panel.text()).not.toContain(SENT);
      panel.bff.script(SEND, accept("It is urgent."));
      await panel.press("Retry");
      expect(panel.text()).toContain(`${SENT}.`);
    });

    it(`${name} instead of a proposal: the box is empty, says why, and the customer can write`, async () => {
      const panel = await startWaiting();
      await panel.open(fault);
      expect(panel.form()?.value).toBe("");
      expect(panel.form()?.getAttribute("aria-describedby")).toContain("fault");
      expect(panel.text()).not.toContain("Not confirmed.");
      await panel.write("It is urgent.");
      panel.bff.script(SEND, accept("It is urgent."));
      await panel.press("Send");
      expect(panel.text()).toContain(`${SENT}.`);
    });
  }

  it.each([
    ["another text", accept("Something else.")],
    ["another hand-off", accept("It is urgent.", "handoff-2")],
    ["nothing of it", () => json(200, { summary: { handoffId: HANDOFF, sentences: [] } })],
  ])("TRUTH1 an answer with %s confirms nothing", async (_name, answer) => {
    const panel = await startWaiting();
    await panel.open();
    await panel.write("It is urgent.");
    panel.bff.script(SEND, answer);
    await panel.press("Send");
    expect(panel.text()).toContain("Not confirmed.");
    expect(panel.text()).not.toContain(SENT);
  });

  it("what the customer typed is not replaced by a late proposal", async () => {
    const panel = await startWaiting();
    let arrive: () => void = () => undefined;
    const late = new Promise<Response>((resolve) => {
      arrive = () => resolve(proposal()());
    });
    await panel.open(() => late);
    await panel.write("Mine.");
    arrive();
    await panel.rest();
    expect(panel.form()?.value).toBe("Mine.");
  });

  it("Cancel discards the text, Escape keeps it; both close the box and not the panel", async () => {
    const panel = await startWaiting();
    await panel.open();
    await panel.write("Mine.");
    await panel.key("Escape", { keyCode: 229 }, panel.form() as HTMLElement);
    expect(panel.form()?.value).toBe("Mine.");
    await panel.key("Escape", {}, panel.form() as HTMLElement);
    expect([panel.closed(), panel.form()]).toEqual([0, null]);
    expect(document.activeElement).toBe(panel.get("button", OFFER));
    await panel.click("button", OFFER);
    expect(panel.form()?.value).toBe("Mine.");
    await panel.press("Cancel");
    await panel.open();
    expect(panel.form()?.value).toBe(LINES.join("\n"));
    expect(panel.bff.calls(SEND)).toEqual([]);
  });

  it("AGENT9 hears and reads that the AI agent wrote what is proposed", async () => {
    const panel = await startWaiting();
    await panel.open(proposal({ generated: { by: "AI assistant", model: "m" } }));
    expect(panel.get("status").textContent).toContain("AI agent: You can change it.");
    expect(panel.form()?.form?.textContent).toContain("AI agent");
    const quoted = await startWaiting();
    await quoted.open();
    expect(quoted.form()?.form?.textContent).not.toContain("AI agent");
    expect(quoted.get("status").textContent).toContain("You can change it.");
  });

  it("an empty text is not sent", async () => {
    const panel = await startWaiting();
    await panel.open(proposal({ sentences: [] }));
    await panel.press("Send");
    expect(panel.bff.calls(SEND)).toEqual([]);
  });

  it("a text whose answer was lost is asked for again once the log has a summary, and is then said as sent", async () => {
    const panel = await startWaiting();
    await panel.open();
    panel.bff.script(SEND, () => {
      const sentences = LINES.map((text) => ({ text, seq: 2 }));
      const summary = { handoffId: HANDOFF, sentences };
      panel.bff.record({ type: "summary.sent", seq: panel.bff.nextSeq(), at: AT, summary });
      panel.bff.script(SEND, accept(LINES.join("\n")));
      return problem("support_timeout");
    });
    await panel.press("Send");
    expect(panel.bff.calls(SEND)).toHaveLength(2);
    expect(panel.text()).not.toContain("Not confirmed.");
    expect(panel.log()).toContain(SENT);
    expect(panel.all("button", OFFER)).toEqual([]);
  });

  it.each([
    ["the service has another text", "key_reused"],
    ["that answer is lost too", "support_timeout"],
  ] as const)(
    "TRUTH1 a text whose answer was lost stays in doubt beside another tab's summary where %s",
    async (_name, code) => {
      const panel = await startWaiting();
      await panel.open();
      await panel.write("Mine.");
      panel.bff.script(SEND, () => {
        const summary = { handoffId: HANDOFF, sentences: [{ text: "Of another tab." }] };
        panel.bff.record({ type: "summary.sent", seq: panel.bff.nextSeq(), at: AT, summary });
        panel.bff.script(SEND, () => problem(code));
        return problem("support_timeout");
      });
      await panel.press("Send");
      expect(panel.bff.calls(SEND)).toHaveLength(2);
      expect(panel.form()?.value).toBe("Mine.");
      expect(panel.get("alert").textContent).toContain("Not confirmed.");
      expect(panel.text()).not.toContain(`${SENT}.`);
    },
  );

  it("a text that was changed after its answer was lost is not sent by the log's entry", async () => {
    const panel = await startWaiting();
    await panel.open();
    panel.bff.script(SEND, () => problem("support_timeout"));
    await panel.press("Send");
    await panel.write("Half a");
    const summary = { handoffId: HANDOFF, sentences: LINES.map((text) => ({ text, seq: 2 })) };
    await act(() => panel.bff.record({ type: "summary.sent", seq: panel.bff.nextSeq(), at: AT, summary }));
    await panel.rest();
    expect(panel.bff.calls(SEND)).toHaveLength(1);
    expect(panel.form()?.value).toBe("Half a");
    expect(panel.text()).toContain("Not confirmed.");
  });

  it("TRUTH1 another tab's summary in the log does not pass for this text, which the service refuses", async () => {
    const panel = await startWaiting();
    await panel.open();
    await panel.write("Mine.");
    panel.bff.script(SEND, () => {
      const summary = { handoffId: HANDOFF, sentences: [{ text: "Of another tab." }] };
      panel.bff.record({ type: "summary.sent", seq: panel.bff.nextSeq(), at: AT, summary });
      return problem("key_reused");
    });
    await panel.press("Send");
    expect(panel.form()?.value).toBe("Mine.");
    expect(panel.get("alert").textContent).toContain("Not confirmed.");
    expect(panel.text()).not.toContain(`${SENT}.`);
    await panel.press("Cancel");
    expect(panel.text()).toContain(`${SENT}.`);
    expect(document.activeElement).toBe(panel.get("textbox", "Message"));
  });

  it("TRUTH1 Cancel while a text is on its way makes no room for another one that would pass for sent", async () => {
    const panel = await startWaiting();
    await panel.open();
    await panel.write("First.");
    let arrive: () => void = () => undefined;
    const late = new Promise<Response>((resolve) => {
      arrive = () => resolve(accept("First.")());
    });
    panel.bff.script(SEND, () => late);
    await panel.press("Send");
    await panel.press("Cancel");
    expect(panel.form()).toBeNull();
    await panel.click("button", OFFER);
    expect([panel.form()?.value, panel.form()?.readOnly]).toEqual(["First.", true]);
    arrive();
    await panel.rest();
    expect(panel.text()).toContain(`${SENT}.`);
  });

  it("TRUTH1 the summary of an earlier request is not said as sent for a new one, also before the log has that", async () => {
    const panel = await startWaiting();
    const { bff } = panel;
    const summary = { handoffId: HANDOFF, sentences: [{ text: "Of the first." }] };
    await act(() => bff.record({ type: "summary.sent", seq: bff.nextSeq(), at: AT, summary }));
    await panel.rest();
    expect(panel.text()).toContain(`${SENT}.`);
    await act(() => bff.setHandoff("returned"));
    await panel.rest();
    bff.script("POST /api/conversation/handoff", () =>
      json(200, { handoff: { id: "handoff-2", status: "requested" } }),
    );
    await act(() => void panel.chat.conversation.requestHuman());
    await panel.rest();
    expect(panel.text()).not.toContain(`${SENT}.`);
    expect(panel.all("button", OFFER)).toHaveLength(1);
  });

  it("a summary sent in another tab neither loses nor takes the focus", async () => {
    for (const [from, to] of [
      [OFFER, "composer"],
      ["End conversation", "itself"],
    ] as const) {
      const panel = await startWaiting();
      const { bff } = panel;
      const button = panel.get("button", from);
      if (to === "itself") await panel.open();
      await act(() => button.focus());
      const summary = { handoffId: HANDOFF, sentences: [{ text: "Of another tab." }] };
      await act(() => bff.record({ type: "summary.sent", seq: bff.nextSeq(), at: AT, summary }));
      await panel.rest();
      expect(panel.text()).toContain(`${SENT}.`);
      const target = to === "itself" ? button : panel.get("textbox", "Message");
      expect(document.activeElement).toBe(target);
    }
  });

  it("a summary that was sent before is shown as sent, not asked for again", async () => {
    const panel = await startWaiting();
    await panel.open(proposal({ sentences: [], isSent: true }));
    expect(panel.form()).toBeNull();
    expect(panel.text()).toContain(`${SENT}.`);
  });

  it("a person who joins meanwhile takes no text away; afterwards nothing is offered", async () => {
    const panel = await startWaiting();
    await panel.open();
    await panel.write("Mine.");
    await act(() => panel.bff.setHandoff("accepted", "Maya"));
    await panel.rest();
    expect(panel.form()?.value).toBe("Mine.");
    await panel.press("Cancel");
    expect(panel.all("button", OFFER)).toEqual([]);
  });

  it("is offered nothing where the service takes no summary", async () => {
    const panel = await startWaiting({ isTaken: false });
    expect(panel.all("button", OFFER)).toEqual([]);
  });
});
