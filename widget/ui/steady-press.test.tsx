import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { problem } from "../app/testing/scripted-bff.ts";
import { startTalk } from "./testing-panel.tsx";

/** A panel with a conversation, where fingers press: `detail` is 1 for every tap on a phone. */
async function start() {
  const panel = await startTalk();
  const tap = async (name: string, x = 60, y = 600) => {
    const init = { detail: 1, clientX: x, clientY: y, bubbles: true, cancelable: true };
    await act(() => void panel.get("button", name).dispatchEvent(new MouseEvent("click", init)));
    await panel.rest();
  };
  return { ...panel, tap };
}

describe("LOOK13 quick presses at one place", () => {
  it("a double tap on Talk to a person asks for a person and does not ask about the end", async () => {
    const panel = await start();
    await panel.tap("Talk to a person");
    expect(panel.all("button", "Talk to a person")).toEqual([]);
    await panel.tap("End conversation", 66, 597);
    expect(panel.all("alertdialog")).toEqual([]);
    await panel.tap("End conversation");
    expect(panel.all("alertdialog")).toEqual([]);
    expect(panel.bff.calls("POST /api/conversation/handoff")).toHaveLength(1);
  });

  it("control: the same press works later, at another place, and by keyboard", async () => {
    for (const press of ["later", "elsewhere", "by keyboard"]) {
      const panel = await start();
      await panel.tap("Talk to a person");
      if (press === "later") await panel.time.advance(500);
      if (press === "by keyboard") await panel.click("button", "End conversation");
      else await panel.tap("End conversation", press === "elsewhere" ? 300 : 60);
      expect(panel.all("alertdialog"), press).toHaveLength(1);
    }
  });

  it("the question about the end is not answered by the tap that asked it", async () => {
    const panel = await start();
    await panel.tap("End conversation");
    await panel.tap("Keep it open");
    expect(panel.all("alertdialog")).toHaveLength(1);
  });

  it("a control that was rendered again counts as the same one: Retry works each time", async () => {
    const panel = await start();
    for (let at = 0; at < 3; at += 1)
      panel.bff.script("POST /api/conversation/messages", () => problem("support_unreachable"));
    await panel.say("Once more");
    await panel.tap("Retry");
    await panel.tap("Retry");
    expect(panel.bff.calls("POST /api/conversation/messages")).toHaveLength(3);
  });
});
