// @vitest-environment node
import { describe, expect, it } from "vitest";
import { type CreateConversationStream, createConversationStream } from "./conversation-stream.ts";
import type { Environment } from "./environment.ts";
import { settle } from "./testing/manual-time.ts";
import { json, problem } from "./testing/scripted-bff.ts";
import { everywhere, leaders, only, startBrowser, type Tab, texts } from "./testing/start-browser.ts";
import { startChat } from "./testing/start-chat.ts";

describe("TAB1 one browser, one stream", () => {
  it("eight tabs, one stream; what one sends and what arrives is in each of them once", async () => {
    const { bff, openTabs } = startBrowser();
    const tabs = await openTabs(8);
    expect(bff.openStreams()).toBe(1);
    tabs[7]?.chat.outbox.send("from the eighth");
    await settle();
    bff.say("Good day.");
    await settle();
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "from the eighth", "Good day."));
    expect(tabs.map(({ chat }) => chat.connection.state.value)).toEqual(tabs.map(() => "live"));
    expect(leaders(tabs)).toHaveLength(1);
    expect(bff.openStreams()).toBe(1);
  });

  it("without locks and channels each tab has its own stream (control)", async () => {
    const { bff, openTabs } = startBrowser({ isShared: false });
    const tabs = await openTabs(8);
    expect(bff.openStreams()).toBe(8);
    bff.say("Good day.");
    await settle();
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "Good day."));
  });

  it("the same holds if the browser refuses locks", async () => {
    const { bff, openTabs } = startBrowser();
    const joinRoom: Environment["joinRoom"] = () => ({
      post: () => undefined,
      lead: (_isTaken, _onLead, onLost) => queueMicrotask(onLost),
      leave: () => undefined,
    });
    const tabs = await openTabs(3, { joinRoom });
    expect(bff.openStreams()).toBe(3);
    bff.say("Good day.");
    await settle();
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "Good day."));
  });

  it("an answer in progress is complete in a tab that opens in the middle of it", async () => {
    const { bff, openTabs, openTab } = startBrowser();
    const tabs = await openTabs(2);
    bff.signal({ type: "response.delta", messageId: "m3", delta: "Good " });
    await settle();
    tabs.push(await openTab());
    bff.signal({ type: "response.delta", messageId: "m3", delta: "day." });
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.log.value.answer?.text)).toEqual(
      tabs.map(() => "Good day."),
    );
  });

  it("a conversation that starts in one tab appears in the others, and ends in all", async () => {
    const { bff, time, openTab } = startBrowser();
    const tabs = [await openTab(), await openTab()];
    tabs[0]?.chat.outbox.send("Hello");
    await time.advance(1_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello"));
    expect(bff.openStreams()).toBe(1);
    expect(await tabs[1]?.chat.conversation.end()).toBeUndefined();
    await settle();
    expect(tabs.map(({ chat }) => chat.conversation.log.value.conversation?.status)).toEqual([
      "ended",
      "ended",
    ]);
    for (const { chat } of tabs) chat.close();
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
  });

  it("LONG3 the conversation after a full one appears in the tab that still follows the full one", async () => {
    const { bff, time, openTabs } = startBrowser();
    const tabs = await openTabs(2);
    const follower = only(tabs);
    const sender = tabs.find((tab) => tab !== follower);
    bff.script("POST /api/conversation/messages", () => problem("conversation_full"));
    // The BFF starts the next one after it; the stream of the full one stays open.
    if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "ended" };
    sender?.chat.outbox.send("One more thing");
    await time.advance(1_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "One more thing"));
    expect(tabs.map(({ chat }) => chat.conversation.log.value.conversation?.id)).toEqual([
      "conversation-2",
      "conversation-2",
    ]);
  });

  it("every tab shows the leading tab's connection", async () => {
    const { bff, time, openTabs } = startBrowser();
    const tabs = await openTabs(3);
    const connections = () => tabs.map(({ chat }) => chat.connection.state.value);
    bff.script("GET /api/conversation/events", () => new Promise<Response>(() => undefined));
    bff.cutStreams();
    await settle();
    expect(connections()).toEqual(["reconnecting", "reconnecting", "reconnecting"]);
    await time.advance(60_000);
    expect(connections()).toEqual(["live", "live", "live"]);
  });
});

describe("a visitor who is identified in one tab", () => {
  it("no longer shares a stream with a tab that still has the visitor's session", async () => {
    const { bff, storage, openTabs } = startBrowser();
    const tabs = await openTabs(2);
    expect(leaders(tabs)).toHaveLength(1);
    const authorization = `Bearer ${storage.map.get("parley.session")}`;
    const asked = await bff.fetch("/api/session", { method: "POST", headers: { authorization }, body: "{}" });
    const session = (await asked.json()) as object;
    const customer = { externalId: "ann", identified: true };
    bff.script("POST /api/session", () => json(200, { ...session, customer }));
    const [named] = tabs;
    named?.chat.identity.site.connect((id) => named.chat.identity.site.answer(id, "token"));
    named?.chat.identity.identify(1);
    await settle();
    expect(named?.chat.conversation.log.value.conversation?.id).toBe(
      tabs[1]?.chat.conversation.log.value.conversation?.id,
    );
    expect(leaders(tabs)).toHaveLength(2);
  });
});

describe("PART1 a stream whose code is not loaded yet", () => {
  it("is shown as connecting, never live, and continues from the current position once the code is loaded", async () => {
    let finish: (create: CreateConversationStream) => void = () => undefined;
    const loading = new Promise<CreateConversationStream>((resolve) => {
      finish = resolve;
    });
    const { bff, chat } = startChat(undefined, undefined, {}, () => loading);
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    expect(chat.connection.state.value).toBe("connecting");
    bff.say("Good day.");
    await settle();
    finish(createConversationStream);
    await settle();
    expect(chat.connection.state.value).toBe("live");
    expect(chat.conversation.log.value.messages.map(({ body }) => body)).toEqual(["Hello", "Good day."]);
    expect(bff.openStreams()).toBe(1);
  });
});

describe("TAB2 the leading tab goes away", () => {
  const ways: Record<string, (tab: Tab) => void> = {
    "it is closed": (tab) => tab.chat.pause(),
    "it is killed": (tab) => tab.kill(),
  };
  for (const [way, go] of Object.entries(ways)) {
    it(`${way}: another continues at once, without a gap`, async () => {
      const { bff, openTabs, time } = startBrowser();
      const tabs = await openTabs(4);
      const leader = only(tabs);
      go(leader);
      bff.say("while nobody led");
      await settle();
      const others = tabs.filter((tab) => tab !== leader);
      only(others);
      bff.say("and after");
      await time.advance(1_000);
      expect(texts(others)).toEqual(everywhere(others, "Hello", "while nobody led", "and after"));
    });
  }

  it("cached and restored: one stream all the time, no gap in either tab", async () => {
    const { bff, openTabs, time } = startBrowser();
    const tabs = await openTabs(2);
    const leader = only(tabs);
    leader.chat.pause();
    await settle();
    expect(bff.openStreams()).toBe(1);
    bff.say("meanwhile");
    await settle();
    leader.chat.wake();
    await time.advance(5_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "meanwhile"));
    expect(bff.openStreams()).toBe(1);
  });

  it("LINE1 a tab restored from the back-forward cache is not online before a tab with the stream answers", async () => {
    const { bff, time, openTabs } = startBrowser();
    const tabs = await openTabs(2);
    const leader = only(tabs);
    const [restored] = tabs.filter((tab) => tab !== leader);
    restored?.chat.pause();
    leader.freeze();
    bff.say("Good day.");
    restored?.chat.wake();
    await settle();
    expect(restored?.chat.connection.state.value).toBe("connecting");
    await time.advance(6_000);
    expect(restored?.chat.connection.state.value).toBe("live");
    expect(restored?.bodies()).toEqual(["Hello", "Good day."]);
  });

  it("frozen: a visible tab takes the stream within 5 s, and the thawed one closes its own", async () => {
    const { bff, openTabs, time } = startBrowser();
    const tabs = await openTabs(3);
    const leader = only(tabs);
    const others = tabs.filter((tab) => tab !== leader);
    leader.freeze();
    bff.say("unheard");
    await time.advance(4_900);
    expect(texts(others)).toEqual(everywhere(others, "Hello"));
    await time.advance(1_100);
    expect(texts(others)).toEqual(everywhere(others, "Hello", "unheard"));
    only(others);
    leader.thaw();
    await time.advance(3_000);
    expect(only(tabs)).not.toBe(leader);
    expect(bff.openStreams()).toBe(1);
    bff.say("for all");
    await settle();
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "unheard", "for all"));
  });

  it("thawed: it does not interrupt the answer that the others receive by now", async () => {
    const { bff, openTabs, time } = startBrowser();
    const tabs = await openTabs(3);
    const leader = only(tabs);
    const others = tabs.filter((tab) => tab !== leader);
    leader.freeze();
    await time.advance(6_000);
    bff.signal({ type: "response.delta", messageId: "m3", delta: "Good " });
    await settle();
    leader.thaw();
    await settle();
    bff.signal({ type: "response.delta", messageId: "m3", delta: "day." });
    await settle();
    const answer = { text: "Good day.", broken: false };
    for (const { chat } of others) expect(chat.conversation.log.value.answer).toMatchObject(answer);
  });

  it("a hidden tab does not take the stream", async () => {
    const { openTabs, time } = startBrowser();
    const tabs = await openTabs(2, { isVisible: () => false });
    const leader = only(tabs);
    leader.freeze();
    await time.advance(60_000);
    expect(only(tabs)).toBe(leader);
  });

  it("its session has ended: another tab's session is used", async () => {
    const { bff, openTabs, time } = startBrowser();
    const tabs = await openTabs(3);
    const leader = only(tabs);
    bff.script("GET /api/conversation/events", () => new Response(null, { status: 401 }));
    bff.cutStreams();
    await time.advance(2_000);
    expect(only(tabs)).not.toBe(leader);
    bff.say("still here");
    await time.advance(5_000);
    expect(texts(tabs)).toEqual(everywhere(tabs, "Hello", "still here"));
  });
});
