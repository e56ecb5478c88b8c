import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import type { SessionState } from "../../../shared/api/session.ts";
import { AT, EPOCH, FAULTS, json, problem } from "../../app/testing/scripted-bff.ts";
import { textOf } from "../testing-panel.tsx";
import { one, openPast, said } from "./testing-past.tsx";

const CURRENT = "POST /api/conversations/current";

/** A past conversation that is read. */
async function choose(capabilities: SessionState["capabilities"], more: object = {}) {
  const opened = await openPast(
    () => json(200, { conversations: [one("a.b", more)] }),
    () => json(200, { messages: [said(1, "Old words")] }),
    capabilities,
  );
  await opened.press("Words of a.b");
  return opened;
}

describe("HIST4 a past conversation", () => {
  it("is continued: the panel shows it, and the next message opens it again", async () => {
    const { bff, panel, press, dialog } = await choose(["reopen"]);
    bff.script(CURRENT, () => {
      bff.state.conversation = {
        id: "conversation-9",
        status: "ended",
        reopens: true,
        epoch: EPOCH,
        lastSeq: 0,
        messages: [],
      };
      return json(200, { conversation: { id: "conversation-9" } });
    });
    await press("Continue this conversation");
    expect(bff.calls(CURRENT).at(-1)?.body).toEqual({ of: "a.b" });
    expect(dialog()).toBeNull();
    expect(panel.chat.conversation.current.value?.id).toBe("conversation-9");
    expect(panel.text()).toContain("Send a message to continue it");
    bff.script("POST /api/conversation", (request, signal) => {
      if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "open" };
      bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT });
      return bff.answer(request, signal);
    });
    await panel.say("One more thing");
    expect(panel.log()).toMatch(/You continued the conversation.*One more thing/);
    expect(panel.text()).not.toContain("Send a message to continue it");
    expect(bff.openStreams()).toBe(1);
  });

  it.each([
    ...Object.entries(FAULTS),
    ["refused", () => problem("conversation_ended")] as const,
    ["another one than was chosen", () => json(200, { conversation: { id: "conversation-1" } })] as const,
  ])("%s leaves the reader where they are, says so, and can be tried again", async (_, fault) => {
    const { bff, press, text, dialog } = await choose(["reopen"]);
    bff.script(CURRENT, fault);
    await press("Continue this conversation");
    expect(dialog()).not.toBeNull();
    expect(dialog()?.querySelector('[data-tone="doubt"]')?.textContent).toBeTruthy();
    expect(text()).toContain("Continue this conversation");
  });

  it("that has ended can't be continued if the service reopens none, and the panel says so", async () => {
    const { text } = await choose([]);
    expect(text()).toContain("This conversation has ended. Send a message to start a new one.");
    expect(text()).not.toContain("Continue");
  });

  it("that is open can be continued at every service", async () => {
    const { text } = await choose([], { status: "open", ended: undefined });
    expect(text()).toContain("Continue this conversation");
  });

  it("says before it is continued that this ends the open one, and waits for messages that are not confirmed", async () => {
    const { bff, panel, text } = await choose(["reopen"]);
    await act(() => void panel.chat.outbox.send("Hello"));
    await panel.rest();
    expect(text()).toContain("This ends your current conversation.");
    bff.script("POST /api/conversation/messages", () => problem("not_confirmed"));
    await act(() => void panel.chat.outbox.send("Lost"));
    await panel.rest();
    expect(text()).not.toContain("Continue this conversation");
    expect(text()).toContain("1 message is waiting to send.");
  });

  describe("while a person is asked for or is there", () => {
    const proceed = "Continue this conversation";
    async function chooseWhileWaiting() {
      const opened = await choose(["reopen"]);
      await act(() => void opened.panel.chat.outbox.send("Hello"));
      await opened.panel.rest();
      await act(() => void opened.panel.chat.conversation.requestHuman());
      await opened.panel.rest();
      return opened;
    }

    it.each(["requested", "accepted"] as const)(
      "%s: the conversation of a person ends for another one only after the customer confirmed it",
      async (status) => {
        const { bff, panel, press, dialog, past } = await chooseWhileWaiting();
        if (status === "accepted") bff.setHandoff(status, "Mira Holm");
        await panel.rest();
        await press(proceed);
        const question = panel.get("alertdialog");
        expect(dialog()?.contains(question)).toBe(true);
        expect(textOf(question)).toMatch(/End this conversation\?.*This ends your current conversation\./);
        expect(document.activeElement?.textContent).toBe("Keep it open");
        expect(bff.calls(CURRENT)).toEqual([]);
        await press("Keep it open");
        expect(panel.all("alertdialog")).toEqual([]);

        await press(proceed);
        await panel.key("Escape", {}, panel.get("alertdialog"));
        expect(panel.all("alertdialog")).toEqual([]);
        expect(past.chosen.value?.reference).toBe("a.b");
        expect(bff.calls(CURRENT)).toEqual([]);

        bff.script(CURRENT, () => problem("conversation_ended"));
        await press(proceed);
        await press("End conversation");
        expect(bff.calls(CURRENT).at(-1)?.body).toEqual({ of: "a.b" });
        expect(panel.all("alertdialog")).toEqual([]);
      },
    );

    it("a person who joins later brings back no question that was left open", async () => {
      const { bff, panel, press } = await chooseWhileWaiting();
      await press(proceed);
      expect(panel.all("alertdialog")).toHaveLength(1);
      bff.setHandoff("failed");
      await panel.rest();
      bff.setHandoff("accepted", "Mira Holm");
      await panel.rest();
      expect(panel.all("alertdialog")).toEqual([]);
    });

    it("the question goes away when the open one ends, and nothing is left to confirm", async () => {
      const { bff, panel, press, text } = await chooseWhileWaiting();
      await press(proceed);
      bff.end();
      await panel.rest();
      expect(panel.all("alertdialog")).toEqual([]);
      expect(text()).not.toContain("This ends your current conversation.");
    });
  });
});
