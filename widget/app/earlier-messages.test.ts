// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, createScriptedBff, problem } from "./testing/scripted-bff.ts";
import { startChat, types } from "./testing/start-chat.ts";

const EARLIER = "GET /api/conversation/messages";
const PAGE = 10;

/** A panel that resumes a conversation of 35 entries, and has its newest page. */
async function resumeLong(storage?: Parameters<typeof startChat>[1]) {
  const bff = createScriptedBff();
  const first = startChat(bff, storage);
  first.chat.open();
  first.chat.outbox.send("Hello");
  await settle();
  for (let at = 0; at < 33; at += 1) bff.say(`Answer ${at}`);
  await settle();
  bff.state.page = PAGE;
  const second = startChat(bff, first.storage, { randomId: () => "later-key" });
  second.chat.open();
  await settle();
  return { ...second, bff, before: first };
}

const seqsOf = ({ chat }: Pick<ReturnType<typeof startChat>, "chat">) =>
  chat.conversation.log.value.messages.map(({ seq }) => seq);
const loadAll = async ({ chat: { conversation } }: Pick<ReturnType<typeof startChat>, "chat">) => {
  while (conversation.earlier.hasMore.value) expect(await conversation.earlier.load()).toBeUndefined();
};
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("earlier messages", () => {
  it("a session starts with the newest page, and each load adds the page above", async () => {
    const resumed = await resumeLong();
    const { chat, bff, happenings } = resumed;
    expect(seqsOf(resumed)).toEqual(range(26, 35));
    expect(chat.conversation.earlier.hasMore.value).toBe(true);
    happenings.length = 0;
    await chat.conversation.earlier.load();
    expect(seqsOf(resumed)).toEqual(range(16, 35));
    expect(bff.calls(EARLIER).map(({ query }) => query)).toEqual(["?before=26"]);
    await loadAll(resumed);
    expect(seqsOf(resumed)).toEqual(range(2, 35));
    expect(chat.conversation.earlier.hasMore.value).toBe(false);
    expect(types(happenings)).toEqual([]);
    expect(chat.conversation.unread.value).toBe(0);
  });

  it("LONG1 a message into a long conversation from another device opens its newest page and announces none of it", async () => {
    const started = startChat();
    const { chat, bff, happenings } = started;
    chat.open();
    await settle();
    bff.state.conversation = { id: "conversation-9", status: "open", epoch: "e1", lastSeq: 0, messages: [] };
    bff.record({ type: "conversation.started", seq: 1, at: AT });
    for (let at = 0; at < 33; at += 1) bff.say(`Answer ${at}`);
    bff.state.page = PAGE;
    chat.outbox.send("Hello");
    await settle();
    expect(seqsOf(started)).toEqual(range(26, 35));
    expect(chat.conversation.earlier.hasMore.value).toBe(true);
    expect(types(happenings)).toEqual(["message.sent"]);
    expect(chat.conversation.log.value.pending).toEqual([]);
    bff.say("And more");
    await settle();
    expect(seqsOf(started)).toEqual(range(26, 36));
    expect(types(happenings)).toEqual(["message.sent", "message.received"]);
  });

  it("two loads at once are one call", async () => {
    const { chat, bff } = await resumeLong();
    await Promise.all([chat.conversation.earlier.load(), chat.conversation.earlier.load()]);
    expect(bff.calls(EARLIER)).toHaveLength(1);
  });

  it("a page that can't be read is reported, changes nothing, and can be asked for again", async () => {
    const resumed = await resumeLong();
    const { earlier } = resumed.chat.conversation;
    resumed.bff.script(EARLIER, () => problem("support_unreachable"));
    expect((await earlier.load())?.code).toBe("support_unreachable");
    expect(seqsOf(resumed)).toEqual(range(26, 35));
    expect(await earlier.load()).toBeUndefined();
    expect(seqsOf(resumed)).toEqual(range(16, 35));
  });

  it("a page of another conversation, or of a log that was replaced, is not shown", async () => {
    for (const conversation of [
      { id: "other", epoch: "e1" },
      { id: "conversation-1", epoch: "e2" },
    ]) {
      const resumed = await resumeLong();
      const { earlier } = resumed.chat.conversation;
      resumed.bff.script(EARLIER, () => Response.json({ conversation, messages: [] }));
      expect((await earlier.load())?.code).toBe("not_confirmed");
      expect(seqsOf(resumed)).toEqual(range(26, 35));
    }
  });

  it("loaded messages stay when the session is requested again, also with messages that came meanwhile", async () => {
    const resumed = await resumeLong();
    await resumed.chat.conversation.earlier.load();
    resumed.bff.say("News");
    await resumed.chat.session.refresh();
    expect(seqsOf(resumed)).toEqual(range(16, 36));
    await loadAll(resumed);
    expect(seqsOf(resumed)).toEqual(range(2, 36));
  });

  it("the card of an action stays above what a session starts with, and what became of it is never out of date", async () => {
    const resumed = await resumeLong();
    const { chat, bff } = resumed;
    const asked = { actionId: "a1", name: "shop_refund", seq: 20, at: AT };
    const done = { ...asked, approved: true, result: { status: "completed" as const } };
    const cards = () => chat.conversation.log.value.actions;
    bff.state.actions = [asked];
    await chat.conversation.earlier.load();
    expect(cards()).toEqual([asked]);
    await chat.session.refresh();
    expect(cards()).toEqual([asked]);
    bff.cutStreams();
    chat.pause();
    bff.say("It was done while nobody looked");
    bff.state.actions = [done];
    await chat.session.refresh();
    expect(cards()).toEqual([]);
    await chat.conversation.earlier.load();
    expect(cards()).toEqual([done]);
    bff.say("News");
    await chat.session.refresh();
    expect(cards()).toEqual([done]);
    expect(seqsOf(resumed)).toEqual(range(17, 37));
  });

  it("after a gap that is longer than a page only the newest page stays, and the rest can be loaded", async () => {
    const resumed = await resumeLong();
    const { chat, bff } = resumed;
    bff.cutStreams();
    for (let at = 0; at < 15; at += 1) bff.say(`Missed ${at}`);
    await chat.session.refresh();
    expect(seqsOf(resumed)).toEqual(range(41, 50));
    await loadAll(resumed);
    expect(seqsOf(resumed)).toEqual(range(2, 50));
  });

  it("LONG1 a message in doubt that arrived before the newest page is found there, and is not in doubt any more", async () => {
    const { bff, before, chat } = await resumeLong();
    bff.script("POST /api/conversation/messages", async (request, signal) => {
      await bff.answer(request, signal);
      return problem("not_confirmed");
    });
    bff.cutStreams();
    chat.pause();
    before.chat.pause();
    chat.outbox.send("Did it arrive?");
    await settle();
    expect(chat.conversation.log.value.pending).toHaveLength(1);
    for (let at = 0; at < 15; at += 1) bff.say(`Later ${at}`);
    await chat.session.refresh();
    await settle();
    expect(chat.conversation.log.value.pending).toEqual([]);
    expect(chat.conversation.log.value.messages.map(({ body }) => body)).toContain("Did it arrive?");
  });
});
