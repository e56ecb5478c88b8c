// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, problem } from "./testing/scripted-bff.ts";
import { everywhere, startBrowser, texts } from "./testing/start-browser.ts";

describe("TAB3 messages between tabs", () => {
  it("one is lost: the gap is noticed, and the missing events are fetched", async () => {
    const { bff, openTabs, time, rooms } = startBrowser();
    const tabs = await openTabs(3);
    rooms.spoilWith((said) => (said.includes("lost on the way") ? undefined : said));
    bff.say("lost on the way");
    await settle();
    bff.say("the next");
    await time.advance(1_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "lost on the way", "the next"));
  });

  it("the last one is lost: the next heartbeat reveals it", async () => {
    const { bff, openTabs, time, rooms } = startBrowser();
    const tabs = await openTabs(3);
    rooms.spoilWith((said) => (said.includes("lost on the way") ? undefined : said));
    bff.say("lost on the way");
    await time.advance(3_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "lost on the way"));
  });

  it("without positions a lost one is a gap (control)", async () => {
    const { bff, openTabs, time, rooms } = startBrowser();
    const tabs = await openTabs(2);
    rooms.spoilWith((said) =>
      said.includes("lost on the way") ? undefined : said.replace(/^(.*?)"seq":\d+/, '$1"seq":0'),
    );
    bff.say("lost on the way");
    bff.say("the next");
    await time.advance(10_000);
    expect(new Set(texts(tabs))).toEqual(new Set(["Hello,lost on the way,the next", "Hello,the next"]));
  });

  it("messages from elsewhere are ignored: another conversation's, a wrong shape, too long, not a text", async () => {
    const { bff, openTabs, rooms, room } = startBrowser();
    const tabs = await openTabs(2);
    const message = { id: "m9", seq: 9, role: "agent", body: "forged", at: AT };
    const good = {
      type: "event",
      conversation: "conversation-1",
      epoch: "e1",
      seq: 2,
      status: "live",
      unread: 0,
      draft: "",
      event: { type: "message.created", seq: 9, at: AT, message },
    };
    const before = texts(tabs);
    for (const said of [
      { ...good, conversation: "conversation-2" },
      { ...good, event: { ...good.event, message: { ...message, body: { type: "img" } } } },
      { ...good, event: { type: "reset", reason: "because" } },
      { ...good, status: "connected" },
      { ...good, seq: "2" },
      { ...good, draft: "x".repeat(500_001) },
      { ...good, conversation: undefined },
      [],
    ]) {
      rooms.say(room(), JSON.stringify(said));
    }
    for (const said of [null, 7, {}, good, "", "{", "null"]) rooms.say(room(), said);
    await settle();
    expect(texts(tabs)).toEqual(before);
    rooms.say(room(), JSON.stringify(good));
    await settle();
    // Control: unchanged, a tab would accept it.
    expect(texts(tabs)).toContain("Hello,forged");
    expect(bff.openStreams()).toBe(1);
  });
});

describe("TAB4 all tabs show the same", () => {
  it("unread counts are equal, and zero once the panel is open in one", async () => {
    const { bff, openTabs, openTab, time } = startBrowser();
    const tabs = await openTabs(3);
    for (const { chat } of tabs) chat.close();
    bff.say("one");
    bff.say("two");
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.unread.value)).toEqual([2, 2, 2]);
    tabs[1]?.chat.open();
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.unread.value)).toEqual([0, 0, 0]);
    bff.say("three");
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.unread.value)).toEqual([0, 0, 0]);
    tabs[1]?.chat.close();
    bff.say("four");
    await settle();
    const fourth = await openTab();
    await time.advance(2_000);
    expect([...tabs, fourth].map(({ chat }) => chat.conversation.unread.value)).toEqual([0, 0, 0, 0]);
  });

  it("an open panel in a hidden page has seen nothing", async () => {
    const { bff, openTabs } = startBrowser();
    let isVisible = false;
    const tabs = await openTabs(2, { isVisible: () => isVisible });
    bff.say("unseen");
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.unread.value)).toEqual([1, 1]);
    isVisible = true;
    tabs[0]?.chat.wake();
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.unread.value)).toEqual([0, 0]);
  });

  it("the draft is shared, but never replaces what somebody is typing", async () => {
    const { openTabs, openTab } = startBrowser();
    const tabs = await openTabs(2);
    const writing = await openTab({ isWriting: () => true });
    const [one, two] = tabs;
    if (!one || !two) throw new Error("no tabs");
    one.chat.composer.draft.value = "half a";
    await settle();
    expect(two.chat.composer.draft.value).toBe("half a");
    expect(writing.chat.composer.draft.value).toBe("");
    two.chat.composer.draft.value = "half a sentence";
    await settle();
    expect(one.chat.composer.draft.value).toBe("half a sentence");
    one.chat.composer.draft.value = "";
    await settle();
    expect(two.chat.composer.draft.value).toBe("");
  });

  it("a session that expired is replaced by one for all of them", async () => {
    const { bff, storage, openTabs, openTab } = startBrowser();
    const tabs = await openTabs(2);
    const held = Promise.withResolvers<void>();
    bff.script("POST /api/session", () => held.promise.then(() => problem("session_expired")));
    await openTab();
    bff.state.tokens.clear();
    for (const { chat } of tabs) {
      bff.script("POST /api/conversation/messages", () => problem("session_expired"));
      chat.outbox.send("Anybody there?");
      await settle();
    }
    held.resolve();
    await settle();
    expect(bff.state.customers).toBe(2);
    expect(storage.map.get("parley.session")).toMatch(/^token-2-/);
  });

  it("only one of them may play a sound", async () => {
    const { openTabs } = startBrowser();
    const tabs = await openTabs(4);
    expect(tabs.map(({ chat }) => chat.connection.isLeading.value).filter(Boolean)).toHaveLength(1);
  });
});
