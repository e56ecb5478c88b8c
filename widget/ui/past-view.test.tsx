import { computed, signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SessionState } from "../../shared/api/session.ts";
import { createExtrasClient } from "../app/extras-client.ts";
import { createPastClient } from "../app/past-client.ts";
import { PastModel } from "../app/past-model.ts";
import { StoredFilesModel } from "../app/stored-files.ts";
import { AT, createScriptedBff, EPOCH, FAULTS, json, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { PastView } from "./past-view.tsx";
import { startPanel, textOf } from "./testing-panel.tsx";

const LIST = "GET /api/conversations";
const MESSAGES = "GET /api/conversations/messages";

type Answerer = (typeof FAULTS)[string];

const one = (reference: string, more: object = {}) => ({
  reference,
  isCurrent: false,
  status: "ended",
  startedAt: AT,
  firstWords: `Words of ${reference}`,
  answeredBy: { role: "human", name: "Maria" },
  ended: { at: AT, by: "customer" },
  ...more,
});
const said = (seq: number, body: string) => ({ id: `m${seq}`, seq, role: "agent", body, at: AT });

/** The panel with the list open, over a BFF that answers by `list` and `messages`. */
async function open(list: Answerer, messages = list, capabilities: SessionState["capabilities"] = []) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, "history", ...capabilities];
  bff.script(LIST, ...Array.from({ length: 4 }, () => list));
  bff.script(MESSAGES, ...Array.from({ length: 4 }, () => messages));
  const started = startChat(bff);
  const { chat, environment } = started;
  const saved: string[] = [];
  const past = new PastModel({ client: createPastClient(chat.client), chat, environment });
  const stored = new StoredFilesModel({
    chat,
    client: createExtrasClient(bff, chat.client, () => Promise.reject(new Error("no upload"))),
    past: computed(() => past.chosen.value?.reference),
    addresses: URL,
    save: (file, name) => void saved.push(`${name} of ${file.size}`),
  });
  const nothing = () => null;
  const extras = {
    it: signal({
      erase: () => undefined,
      openPast: past.open,
      Foot: () => <PastView past={past} stored={stored} />,
      Menu: nothing,
      MessageFiles: nothing,
      Contact: nothing,
      Summary: nothing,
      isSummaryOpen: signal(false),
      Rating: nothing,
    }),
    want: () => undefined,
  };
  const panel = startPanel({}, started, undefined, {}, extras);
  await panel.open();
  await act(() => past.open());
  await panel.rest();
  const dialog = () => panel.root.querySelector("dialog");
  const text = () => (dialog()?.textContent ?? "").replace(/\s+/g, " ");
  const press = async (words: string) => {
    const button = [...(dialog()?.querySelectorAll("button") ?? [])].find((each) =>
      each.textContent?.includes(words),
    );
    if (!button) throw new Error(`no button ${words} in ${text()}`);
    await act(() => button.click());
    await panel.rest();
  };
  return { bff, panel, past, dialog, text, press, saved };
}

describe("HIST1 past conversations in the panel", () => {
  it("can be opened again after the browser closed them by itself", async () => {
    const { panel, past, dialog } = await open(() => json(200, { conversations: [one("a.b")] }));
    // Chromium does this at the second press of a phone's back button: `cancel` can't be prevented then.
    await act(() => dialog()?.close());
    expect(past.conversations.value).toBeUndefined();
    await act(() => past.open());
    await panel.rest();
    expect(dialog()?.open).toBe(true);
  });

  it("past conversations are listed page by page, with their first words, who answered and their end", async () => {
    const pages = [
      { conversations: [one("b", { isCurrent: true, status: "open" }), one("a")], next: "2" },
      { conversations: [one("z")] },
    ];
    const { text, press, bff } = await open(() => json(200, pages.shift()));
    expect(text()).toMatch(/Words of b.*Maria.*Words of a.*Maria.*You ended it/);
    await press("Show more");
    expect(text()).toContain("Words of z");
    expect(text()).not.toContain("Show more");
    expect(bff.calls(LIST).at(-1)?.query).toBe("?after=2");
  });

  it("SAY2 the button for more stays under the focus while its page loads, and the focus stays in the dialog after the last", async () => {
    const held = Promise.withResolvers<void>();
    const answers: Answerer[] = [
      () => json(200, { conversations: [one("b")], next: "1" }),
      () => held.promise.then(() => problem("support_timeout")),
      () => json(200, { conversations: [one("a")] }),
    ];
    const { dialog, press, panel, bff } = await open(
      (...call) => answers.shift()?.(...call) ?? json(500, {}),
    );
    const more = [...(dialog()?.querySelectorAll("button") ?? [])].at(-1);
    more?.focus();
    await press("Show more");
    await press("Show more");
    expect([document.activeElement, more?.getAttribute("aria-disabled")]).toEqual([more, "true"]);
    expect(bff.calls(LIST)).toHaveLength(2);
    held.resolve();
    await panel.rest();
    expect([document.activeElement, more?.textContent]).toEqual([more, "Retry"]);
    expect(dialog()?.querySelector('[role="status"] button')).toBeNull();
    await press("Retry");
    expect(more?.isConnected).toBe(false);
    expect(dialog()?.contains(document.activeElement)).toBe(true);
  });

  it("each is listed with the day and time when it began, by the customer's own clock", async () => {
    vi.stubEnv("TZ", "Pacific/Auckland");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { dialog } = await open(() =>
      json(200, { conversations: [one("a", { startedAt: "2026-08-14T13:12:00.000Z" })] }),
    );
    const time = dialog()?.querySelector("li time");
    expect(time?.textContent?.replace(/\s/g, " ")).toBe("Aug 15, 2026, 1:12 AM");
    expect(time?.getAttribute("datetime")).toBe("2026-08-14T13:12:00.000Z");
  });

  it.each([
    [{ ended: { at: AT, by: "customer" } }, "You ended it"],
    [{ ended: { at: AT, by: "human" } }, "Ended by the team"],
    [{ ended: { at: AT, by: "system" } }, "Ended automatically"],
    [{ ended: undefined }, "The conversation has ended"],
    [{ ended: undefined, status: "open" }, ""],
  ])("%j is shown as the service reported the end: %s", async (more, words) => {
    const { dialog } = await open(() => json(200, { conversations: [one("a", more)] }));
    const facts = dialog()?.querySelector("li time")?.parentElement;
    expect(facts?.textContent).toMatch(new RegExp(`Maria${words}$`));
  });

  it("a past conversation can be read from end to start, with ways back to the list and the current one", async () => {
    const pages = [
      { status: "ended", messages: [said(9, "The **newest** words")], nextBefore: 9 },
      { status: "ended", messages: [said(2, "The oldest words")] },
    ];
    const { text, press, dialog, panel } = await open(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, pages.shift()),
    );
    await press("Words of a.b");
    expect(text()).toContain("The newest words");
    expect(text()).toContain("Send a message to start a new one");
    await press("Show more");
    expect(text()).toMatch(/The oldest words.*The newest words/);
    await press("Past conversations");
    expect(text()).toContain("Words of a.b");
    const pressed = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
    await act(() => void dialog()?.dispatchEvent(pressed));
    expect(dialog()).toBeNull();
    expect(panel.closed()).toBe(0);
  });

  it.each(Object.keys(FAULTS))("%s shows no conversation, says so, and offers Retry", async (fault) => {
    const fail = FAULTS[fault];
    let isBroken = true;
    const { text, press, dialog } = await open((...request) =>
      isBroken && fail ? fail(...request) : json(200, { conversations: [one("a")] }),
    );
    expect(dialog()?.querySelectorAll("li")).toHaveLength(0);
    isBroken = false;
    await press("Retry");
    expect(text()).toContain("Words of a");
  });

  it("hand-offs, ends and files are at their places, and a file is saved from the past conversation", async () => {
    const letter = "%PDF-1.7";
    const file = { id: "att1", name: "letter.pdf", type: "application/pdf", size: letter.length };
    const messages = [said(2, "With a letter"), { ...said(4, "Goodbye"), attachments: [file] }];
    const marks = [
      { seq: 3, at: AT, type: "handoff.accepted", name: "Maria" },
      { seq: 5, at: AT, type: "conversation.ended" },
    ];
    const { bff, text, press, saved } = await open(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, { status: "ended", messages, marks }),
    );
    await press("Words of a.b");
    expect(text()).toMatch(/With a letter.*Maria joined.*Goodbye.*letter\.pdf.*The conversation has ended/);
    bff.script(
      "GET /api/conversation/attachments/att1",
      () => new Response(letter, { headers: { "content-type": "application/pdf" } }),
    );
    await press("letter.pdf");
    expect(saved).toEqual(["letter.pdf of 8"]);
    expect(bff.calls("GET /api/conversation/attachments/att1").at(-1)?.query).toBe("?of=a.b");
  });

  it("HIST6 actions are at their places, with their results and without buttons", async () => {
    const asked = (seq: number, more: object) => ({
      actionId: `act_${seq}`,
      name: "shop_refund",
      title: "Refund an order",
      arguments: [{ label: "Order", value: `${1000 + seq}` }],
      seq,
      at: AT,
      ...more,
    });
    const actions = [
      asked(3, { approved: true, result: { status: "completed", text: "Refund 77" } }),
      asked(4, { approved: true, result: { status: "unknown" } }),
      asked(5, {}),
    ];
    const { dialog, text, press } = await open(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, { status: "ended", messages: [said(2, "May I?"), said(6, "Goodbye")], actions }),
    );
    await press("Words of a.b");
    expect(text()).toMatch(/May I\?.*Order1003Done\.Refund 77.*Order1004We don't know.*Order1005.*Goodbye/);
    const card = dialog()?.querySelector('[role="group"]');
    expect(card?.getAttribute("aria-label")).toBe("Our AI agent asks for your permission: Refund an order");
    expect(dialog()?.querySelectorAll('[role="group"] button')).toHaveLength(0);
  });

  it("HIST2 a logout removes past conversations, and a late answer does not bring them back", async () => {
    const late = Promise.withResolvers<Response>();
    const answers = [() => json(200, { conversations: [one("canary")], next: "2" }), () => late.promise];
    const { panel, press, dialog, past } = await open(() => answers.shift()?.() ?? late.promise);
    expect(panel.text()).toContain("canary");
    await press("Show more");
    await act(() => void panel.chat.identity.logout());
    late.resolve(json(200, { conversations: [one("canary")] }));
    await panel.rest();
    expect(dialog()).toBeNull();
    expect(past.conversations.value).toBeUndefined();
    expect(panel.text()).not.toContain("canary");
  });
});

const many = (count: number) => Array.from({ length: count }, (_, at) => one(`c${at}`));

/** The list of eight conversations, with a search that gives `found`, one answer for each call. */
async function search(words: string, ...found: Answerer[]) {
  const opened = await open(() => json(200, { conversations: many(8) }), undefined, ["search"]);
  opened.bff.script("POST /api/conversations/search", ...found);
  const box = opened.dialog()?.querySelector<HTMLInputElement>('input[type="search"]');
  if (!box) throw new Error("there is no search");
  await act(() => {
    box.value = words;
    box.form?.requestSubmit();
  });
  await opened.panel.rest();
  const clear = async () => {
    await act(() => {
      box.value = "";
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await opened.panel.rest();
  };
  return { ...opened, clear };
}

describe("HIST3 the search among past conversations", () => {
  it("shows what the service found, with the words around it, also after empty pages, and then all again", async () => {
    const page = (more: object) => () => json(200, { text: "lamp", conversations: [], ...more });
    const hit = one("hit", { excerpt: "…the lamp is broken" });
    const { bff, text, dialog, clear } = await search(
      " lamp ",
      page({ next: "1" }),
      page({ conversations: [hit] }),
    );
    expect(text()).toContain("the lamp is broken");
    expect(dialog()?.querySelectorAll("li")).toHaveLength(1);
    expect(bff.calls("POST /api/conversations/search").map(({ body }) => body)).toEqual([
      { text: "lamp" },
      { text: "lamp", after: "1" },
    ]);
    await clear();
    expect(dialog()?.querySelectorAll("li")).toHaveLength(8);
  });

  it("says that nothing was found", async () => {
    const { text } = await search("lamp", () => json(200, { text: "lamp", conversations: [] }));
    expect(text()).toContain("Nothing found");
  });

  it.each([
    ...Object.entries(FAULTS),
    ["found for other words", () => json(200, { text: "desk", conversations: [one("a")] })] as const,
  ])("%s shows nothing and does not say that nothing was found", async (_, fault) => {
    const { text, dialog } = await search("lamp", fault);
    expect(dialog()?.querySelectorAll("li")).toHaveLength(0);
    expect(text()).not.toContain("Nothing found");
    expect(text()).toContain("Retry");
  });

  it.each([
    ["of few conversations", 7, ["search"]],
    ["at a service without it", 8, []],
  ] as const)("%s is not offered", async (_, count, capabilities) => {
    const { dialog } = await open(() => json(200, { conversations: many(count) }), undefined, [
      ...capabilities,
    ]);
    expect(dialog()?.querySelectorAll("li")).toHaveLength(count);
    expect(dialog()?.querySelector("input")).toBeNull();
  });
});

const CURRENT = "POST /api/conversations/current";

/** A past conversation that is read. */
async function choose(capabilities: SessionState["capabilities"], more: object = {}) {
  const opened = await open(
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
