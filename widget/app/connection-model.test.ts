// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, agentMessage, json, problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation, types } from "./testing/start-chat.ts";
import { bodies } from "./testing/start-network.ts";
import { createIdentityBff, createTabs, startVisit } from "./testing/start-visit.ts";

const EVENTS = "GET /api/conversation/events";
const SESSION = "POST /api/session";

const outage = () => Array.from({ length: 3 }, () => () => problem("support_unreachable"));

describe("the connection", () => {
  it("cut and restored: nothing missed, nothing twice", async () => {
    const { bff, chat, time } = await startConversation();
    bff.say("one");
    await settle();
    bff.cutStreams();
    await settle();
    expect(chat.connection.following.value.stream).toBe("waiting");
    bff.say("two");
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
    expect(bff.calls(EVENTS).at(-1)?.lastEventId).toBe("e1:3");
  });

  it("DESK15 the customer sees that a person undid the end, within the ten seconds for it", async () => {
    const { bff, chat, time } = await startConversation();
    bff.end();
    await time.advance(10_500);
    bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT, by: "human" });
    bff.setHandoff("accepted", "Ada");
    bff.say("One more thing", { role: "human" });
    await settle();
    expect(chat.conversation.current.value).toMatchObject({
      status: "open",
      handoff: { status: "accepted", human: { name: "Ada" } },
    });
    expect(bodies(chat)).toEqual(["Hello", "One more thing"]);
  });

  it("DESK15 the customer also sees that the next end was undone", async () => {
    const { bff, chat, time } = await startConversation();
    const reopen = () =>
      bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT, by: "human" });
    bff.end();
    await time.advance(8000);
    reopen();
    bff.end();
    await time.advance(9000);
    reopen();
    await settle();
    expect(chat.conversation.current.value?.status).toBe("open");
  });

  it("a person who reopens a conversation is seen at once, for as long as the customer looks at its end", async () => {
    const { bff, chat, time } = await startConversation();
    bff.end();
    await time.advance(3_600_000);
    // As an identified customer's session does every 50 minutes.
    await chat.session.renew();
    bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT, by: "human" });
    await settle();
    expect(chat.conversation.current.value?.status).toBe("open");
    bff.end();
    await settle();
    chat.close();
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
  });

  it("an ended conversation that another device went on with is left, too, once nobody looks at it", async () => {
    const { bff, chat, time } = await startConversation();
    if (bff.state.conversation)
      bff.state.conversation = { ...bff.state.conversation, id: "conversation-2", status: "ended" };
    await chat.session.refresh();
    await settle();
    chat.close();
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
  });

  it("the end of a conversation does not interrupt an answer in the next one", async () => {
    const { bff, chat, time } = await startConversation();
    bff.end();
    await settle();
    chat.outbox.send("Next");
    await settle();
    bff.signal({ type: "response.delta", messageId: "a1", delta: "It " });
    const streams = bff.calls(EVENTS).length;
    await time.advance(15_000);
    expect(bff.calls(EVENTS)).toHaveLength(streams);
    expect(chat.conversation.log.value.answer).toMatchObject({ text: "It ", broken: false });
  });

  it("reset: the conversation is fetched again and new messages are reported", async () => {
    const { bff, chat, time, happenings } = await startConversation();
    const seq = bff.nextSeq();
    bff.signal({ type: "reset", reason: "epoch" });
    bff.record({
      type: "message.created",
      seq,
      at: AT,
      message: { id: "m9", seq, role: "agent", body: "missed", at: AT },
    });
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "missed"]);
    expect(types(happenings).filter((type) => type === "message.received")).toHaveLength(1);
    expect(bff.openStreams()).toBe(1);
  });

  it("reset, and the page went to the background cache: it is fetched again once the page is back", async () => {
    const { bff, chat, time } = await startConversation();
    const fetched = () => bff.calls(SESSION).length;
    const before = fetched();
    bff.signal({ type: "reset", reason: "epoch" });
    await settle();
    chat.pause();
    await time.advance(30_000);
    expect(fetched()).toBe(before);
    chat.wake();
    await time.advance(30_000);
    expect([fetched(), chat.connection.following.value.isBehind]).toEqual([before + 1, false]);
  });

  it("reset, and the network is back while it is fetched again: it is fetched once", async () => {
    const { bff, chat, time } = await startConversation();
    const before = bff.calls(SESSION).length;
    const held = Promise.withResolvers<void>();
    bff.script(SESSION, async (request, signal) => {
      await held.promise;
      return bff.answer(request, signal);
    });
    bff.signal({ type: "reset", reason: "epoch" });
    await time.advance(1_000);
    expect(bff.calls(SESSION)).toHaveLength(before + 1);
    chat.wake();
    held.resolve();
    await time.advance(30_000);
    expect(bff.calls(SESSION)).toHaveLength(before + 1);
  });

  it("MSG3 what arrives while the conversation is fetched again stays, and is reported once", async () => {
    const { bff, chat, happenings } = await startConversation();
    chat.close();
    const held = Promise.withResolvers<void>();
    bff.script(SESSION, async (request, signal) => {
      const answer = bff.answer(request, signal);
      await held.promise;
      return answer;
    });
    const refreshed = chat.session.refresh();
    bff.say("one");
    await settle();
    held.resolve();
    await refreshed;
    expect(bodies(chat)).toEqual(["Hello", "one"]);
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "one"]);
    expect(types(happenings).filter((type) => type === "message.received")).toHaveLength(1);
    expect(chat.conversation.unread.value).toBe(1);
  });

  it("reset: a log that lost its last entries, in the same epoch, is followed from its new end", async () => {
    const { bff, time } = await startConversation();
    bff.record({
      type: "message.created",
      seq: 40,
      at: AT,
      message: { ...agentMessage(40, "lost"), id: "m40" },
    });
    await settle();
    bff.script(SESSION, async (request, signal) => {
      const answer = await (await bff.answer(request, signal)).json();
      const { conversation } = answer;
      const messages = conversation.messages.filter(({ seq }: { seq: number }) => seq < 40);
      return json(200, { ...answer, conversation: { ...conversation, lastSeq: 2, messages } });
    });
    bff.signal({ type: "reset", reason: "position_gone" });
    await time.advance(30_000);
    expect(bff.calls(EVENTS).at(-1)?.lastEventId).toBe("e1:2");
  });

  it("OPS4 reset: a message of the customer that this log lost is in doubt, and Retry sends it again", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(SESSION, async (request, signal) => {
      const answer = await (await bff.answer(request, signal)).json();
      return json(200, { ...answer, conversation: { ...answer.conversation, lastSeq: 1, messages: [] } });
    });
    bff.signal({ type: "reset", reason: "position_gone" });
    const headers = { "content-type": "text/event-stream" };
    bff.script(EVENTS, () => new Response(new ReadableStream(), { headers }));
    await time.advance(1_000);
    expect(chat.conversation.log.value).toMatchObject({
      messages: [],
      pending: [{ body: "Hello", status: "not_confirmed" }],
    });
    chat.outbox.retry("key-1");
    await settle();
    expect([bodies(chat), chat.conversation.log.value.pending]).toEqual([["Hello"], []]);
  });

  it("FOLLOW1 a closed panel fetches its conversation until that succeeds", async () => {
    const { bff, chat, time } = await startConversation();
    chat.close();
    bff.script(SESSION, ...outage());
    bff.signal({ type: "reset", reason: "position_gone" });
    await time.advance(1_000);
    bff.say("one");
    await time.advance(60_000);
    expect([chat.conversation.unread.value, chat.connection.state.value]).toEqual([1, "live"]);
  });

  it("FOLLOW1 a page that follows a conversation retries until support answers", async () => {
    const { bff, storage } = await startConversation();
    const { chat, time } = startChat(bff, storage);
    bff.script(SESSION, ...outage());
    chat.resume(true);
    await time.advance(60_000);
    bff.say("one");
    await settle();
    expect([chat.conversation.unread.value, chat.connection.state.value]).toEqual([1, "live"]);
  });

  it("FOLLOW1 and also when it comes back from the background cache", async () => {
    const { bff, chat, time } = await startConversation();
    chat.close();
    bff.script(SESSION, () => problem("support_unreachable"));
    await chat.session.refresh().catch(() => undefined);
    chat.pause();
    bff.say("one");
    chat.wake();
    await time.advance(500);
    expect([chat.conversation.unread.value, chat.connection.state.value]).toEqual([1, "live"]);
  });

  it("a closed panel without a conversation does not retry (control)", async () => {
    const { bff, chat, time } = startChat();
    bff.script(SESSION, ...outage());
    chat.open();
    chat.close();
    await time.advance(60_000);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it.each([
    ["while the session starts", "support_unreachable"],
    ["while the session starts", "rate_limited"],
    ["in a running session", "support_unreachable"],
    ["in a running session", "rate_limited"],
  ] as const)(
    "LINE1 a page that identifies its visitor %s, where support answers %s: it is reported once and tried again",
    async (when, code) => {
      const bff = createIdentityBff();
      let isOut = false;
      const fetch: typeof bff.fetch = (path, init) =>
        isOut ? Promise.resolve(problem(code)) : bff.fetch(path, init);
      const { chat, identify, happenings, time, who } = startVisit({ bff: { ...bff, fetch } });
      if (when === "in a running session") {
        chat.open();
        await settle();
      }
      isOut = true;
      chat.open();
      identify("ann");
      await time.advance(10_000);
      expect(who()).toBe("failed");
      expect(happenings).toEqual([{ type: "failed", what: "session", code, isOffline: false }]);
      isOut = false;
      await time.advance(60_000);
      expect(who()).toBe("ann");
    },
  );

  it("401: no more attempts with that session, a new one is requested", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(EVENTS, () => problem("session_expired"));
    bff.cutStreams();
    await time.advance(30_000);
    expect(bff.calls(SESSION)).toHaveLength(2);
    expect(chat.connection.following.value.stream).toBe("live");
  });

  it("an answer that makes us reconnect at once causes no storm", async () => {
    const { bff, time } = await startConversation();
    bff.script(EVENTS, ...Array.from({ length: 500 }, () => () => problem("no_conversation")));
    bff.cutStreams();
    await time.advance(3_600_000);
    expect(bff.calls(SESSION).length).toBeLessThanOrEqual(260);
  });

  it("hidden and restored: closed in between, and no gap", async () => {
    const { bff, chat } = await startConversation();
    chat.pause();
    await settle();
    expect(bff.openStreams()).toBe(0);
    bff.say("meanwhile");
    chat.wake();
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "meanwhile"]);
    expect(bff.openStreams()).toBe(1);
  });

  it("a malformed event never reaches the screen", async () => {
    const { bff, chat } = await startConversation();
    const hostile = { type: "img", props: { src: "x", onerror: "alert(1)" } };
    for (const body of [hostile, ["a"], 7, null]) {
      bff.write(
        `data: ${JSON.stringify({ type: "message.created", seq: 7, at: AT, message: { id: "m7", seq: 7, role: "agent", at: AT, body } })}\n\n`,
      );
    }
    bff.write('data: {"type":"from.the.future","seq":8}\n\ndata: not json\n\n');
    bff.say("fine");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "fine"]);
  });

  it("a conversation that another tab started is found when the panel is opened", async () => {
    const { bff, chat, storage } = startChat();
    chat.open();
    await settle();
    const other = startChat(bff, storage);
    other.chat.open();
    other.chat.outbox.send("from the other tab");
    await settle();
    chat.close();
    chat.open();
    await settle();
    expect(bodies(chat)).toEqual(["from the other tab"]);
  });

  it("opening the panel finds a conversation that another tab started while the former one is followed", async () => {
    const join = createTabs();
    const { bff, chat } = startChat(undefined, undefined, { tabs: join() });
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    chat.close();
    const before = bff.calls(SESSION).length;
    join().post("started");
    chat.open();
    await settle();
    expect(bff.calls(SESSION)).toHaveLength(before + 1);
  });
});
