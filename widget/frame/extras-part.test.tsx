import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AT, createScriptedBff, problem } from "../app/testing/scripted-bff.ts";
import { createMapStorage, startChat } from "../app/testing/start-chat.ts";
import { conversationPart } from "../ui/conversation-part.ts";
import { startPanel } from "../ui/testing-panel.tsx";
import { startExtras } from "./extras-part.ts";

/** The machine of a customer in this time zone. */
function liveIn(zone: string): void {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The panel with its third part as the frame starts it, one confirmed message, and the menu open. */
async function openMenu(
  capabilities: readonly string[] = [],
  tag = "en",
  bff = createScriptedBff(),
  storage = createMapStorage(),
) {
  bff.state.capabilities = [...bff.state.capabilities, ...(capabilities as typeof bff.state.capabilities)];
  const started = startChat(bff, storage);
  const { chat, environment } = started;
  const extras = startExtras({ chat, environment, document });
  const panel = startPanel(
    { tag },
    started,
    signal(conversationPart),
    {},
    {
      it: signal(extras),
      want: () => undefined,
    },
  );
  await panel.open();
  await panel.say("Hello");
  await panel.click("button", "More");
  return panel;
}

/** The files that the browser saves. */
function watchSaved() {
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => `blob:${saved.push(file as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  return saved;
}

describe("LOG1 the transcript's times", () => {
  it.each([
    ["Pacific/Auckland", "Nov 21, 2026, 11:00 PM"],
    ["America/New_York", "Nov 21, 2026, 5:00 AM"],
  ])("are those of the customer's own clock in %s: %s", async (zone, words) => {
    liveIn(zone);
    const saved = watchSaved();
    const panel = await openMenu();
    await panel.click("button", "Download transcript TXT");
    await panel.click("button", "More");
    await panel.click("button", "Download transcript HTML");
    const texts = await Promise.all(saved.map((file) => file.text()));
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text.replace(/\u202f/g, " ")).toContain(words);
  });

  it("are in the panel's language", async () => {
    liveIn("Europe/Berlin");
    const saved = watchSaved();
    const panel = await openMenu([], "de-AT");
    await panel.click("button", "Download transcript TXT");
    expect(await saved[0]?.text()).toContain("21.11.2026, 11:00");
  });
});

describe("LOG1 a transcript whose earlier messages can't be read", () => {
  const EARLIER = "GET /api/conversation/messages";
  const DOUBT = /Download transcript ?: /;

  /** A conversation of which the panel has the newest page only, and the first page above can't be read. */
  async function start() {
    const storage = createMapStorage();
    const first = await openMenu([], "en", createScriptedBff(), storage);
    const { bff } = first;
    await act(() => bff.say("Good day."));
    bff.state.page = 1;
    bff.script(EARLIER, () => problem("support_timeout"));
    const saved = watchSaved();
    const panel = await openMenu([], "en", bff, storage);
    await panel.click("button", "Download transcript TXT");
    return { ...panel, saved };
  }

  it("is not saved; the panel says why, and Retry saves it in the same format", async () => {
    const { saved, text, click, all } = await start();
    expect([saved.length, DOUBT.test(text())]).toEqual([0, true]);
    await click("button", "Retry");
    expect(await saved[0]?.text()).toMatch(/Hello.*Good day\./s);
    expect([saved[0]?.type, text()]).toEqual(["text/plain", expect.not.stringMatching(DOUBT)]);
    expect(all("button", "Retry")).toEqual([]);
  });

  it("is no longer mentioned to the next customer", async () => {
    const { chat, text, rest } = await start();
    await act(() => void chat.identity.logout());
    await rest();
    expect(text()).not.toMatch(DOUBT);
  });

  it("is not the next customer's if the answer arrives after the logout", async () => {
    const { bff, chat, text, click, rest, saved } = await start();
    const held = Promise.withResolvers<void>();
    bff.script(EARLIER, () => held.promise.then(() => problem("support_timeout")));
    await click("button", "Retry");
    await act(() => void chat.identity.logout());
    held.resolve();
    await rest();
    expect([saved.length, text()]).toEqual([0, expect.not.stringMatching(DOUBT)]);
  });
});

describe("ERASE3 a deletion whose retry shows another conversation", () => {
  it("is said to be not confirmed, without a Retry that would delete the other one, until that is closed", async () => {
    const panel = await openMenu(["erase"]);
    panel.bff.script("DELETE /api/conversation/content", ...[1, 2].map(() => () => problem("not_confirmed")));
    await panel.click("button", "Delete my conversation");
    // The question has the same words.
    await panel.click("button", "Delete my conversation");
    panel.bff.goOnElsewhere();
    await panel.click("button", "Retry");
    const said = /We couldn't confirm the deletion/;
    expect([panel.text(), panel.all("button", "Retry")]).toEqual([expect.stringMatching(said), []]);
    await panel.click("button", "Close");
    expect(panel.all("button", "Close")).toEqual([]);
  });
});

describe("HIST1 the menu", () => {
  it("has no past conversations at a service without a history, and has them at one with it (control)", async () => {
    const without = await openMenu(["erase"]);
    expect(without.all("button", "Delete my conversation")).toHaveLength(1);
    expect(without.all("button", "Past conversations")).toEqual([]);
    const panel = await openMenu(["erase", "history"]);
    expect(panel.all("button", "Past conversations")).toHaveLength(1);
  });
});

describe("RATE2 a half-written rating", () => {
  const COMMENT = "Tell us more (optional)";
  const start = async () => {
    const panel = await openMenu(["rating"]);
    const end = async () => {
      await act(() => panel.bff.end());
      await panel.rest();
    };
    const comment = () => panel.get("textbox", COMMENT) as HTMLTextAreaElement;
    await end();
    await act(() => {
      comment().value = "Quick and";
      comment().dispatchEvent(new Event("input", { bubbles: true }));
      panel.root.querySelector<HTMLInputElement>("input[value=up]")?.click();
    });
    return { ...panel, end, comment };
  };

  it("is still there after the team undid the end and resolved the conversation again", async () => {
    const { bff, end, comment, all, rest, root } = await start();
    const { state } = bff;
    if (state.conversation) state.conversation = { ...state.conversation, status: "open" };
    await act(() => bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT, by: "human" }));
    await rest();
    expect(all("textbox", COMMENT)).toEqual([]);
    await end();
    expect(comment().value).toBe("Quick and");
    expect(root.querySelector<HTMLInputElement>("input[value=up]")?.checked).toBe(true);
  });

  it("is not shown for the next conversation", async () => {
    const { say, end, comment, root } = await start();
    await say("Something else");
    await end();
    expect(comment().value).toBe("");
    expect(root.querySelector("input:checked")).toBeNull();
  });
});
