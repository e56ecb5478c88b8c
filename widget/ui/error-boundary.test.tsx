import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startChat } from "../app/testing/start-chat.ts";
import { type ConversationPart, conversationPart } from "./conversation-part.ts";
import { startPanel } from "./testing-panel.tsx";

const report = vi.fn();
beforeEach(() => void vi.stubGlobal("reportError", report));
afterEach(() => {
  vi.unstubAllGlobals();
  report.mockReset();
});

const FAULT = new Error("a component that throws");
const Throwing = () => {
  throw FAULT;
};

/** An open panel with a draft whose log throws once it is loaded. */
async function startBroken() {
  const part = signal<ConversationPart | undefined>(undefined);
  const panel = startPanel({}, startChat(), part);
  await panel.open();
  await panel.type("Where is my order?");
  await act(() => {
    part.value = { ...conversationPart, LogView: Throwing };
  });
  return { panel, part };
}

it("LOOK11 a panel that can't be rendered says so and offers a way on, with the text that was in the box", async () => {
  const { panel } = await startBroken();
  expect(panel.get("alert").textContent).toContain("Something went wrong");
  expect(panel.text()).toContain("Where is my order?");
  expect(panel.get("button", "Reload the chat")).toBe(document.activeElement);
  expect(report).toHaveBeenCalledExactlyOnceWith(FAULT);
});

it("LOOK11 reloading the chat restores the panel and the text in the box", async () => {
  const { panel, part } = await startBroken();
  await act(() => {
    part.value = conversationPart;
  });
  await panel.click("button", "Reload the chat");
  expect(panel.box().value).toBe("Where is my order?");
  expect(panel.all("button", "Reload the chat")).toEqual([]);
});

it("LOOK11 a chat that breaks again after a reload says so again and can be closed", async () => {
  const { panel } = await startBroken();
  await panel.click("button", "Reload the chat");
  expect(panel.get("alert").textContent).toContain("Something went wrong");
  await panel.click("button", "Close chat");
  expect(panel.closed()).toBe(1);
});
