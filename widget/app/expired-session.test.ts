// @vitest-environment node
import { describe, expect, it } from "vitest";
import { expire, WAYS } from "./testing/expire.ts";
import { settle } from "./testing/manual-time.ts";
import { problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation, types } from "./testing/start-chat.ts";
import { bodies, fail, times, waiting } from "./testing/start-network.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const HANDOFF = "POST /api/conversation/handoff";
const SESSION = "POST /api/session";

/** A page with a conversation whose request to `route` gets no answer, the same tab after a reload, and another tab. */
async function leave(route: string, act: (page: ReturnType<typeof startChat>) => unknown) {
  const [{ bff }, storage, tabStorage] = [startChat(), createMapStorage(), createMapStorage()];
  const open = (more: { tabStorage?: typeof tabStorage }) => {
    const page = startChat(bff, storage, more);
    page.chat.open();
    return page;
  };
  const page = open({ tabStorage });
  page.chat.outbox.send("Hello");
  await settle();
  bff.script(route, fail);
  act(page);
  await settle();
  return { ...page, tabStorage, reload: () => open({ tabStorage }), openTab: () => open({}) };
}
describe("OUT4 a message that was on its way when its session expired", () => {
  const DOUBT = { status: "not_confirmed", code: "support_timeout" };

  it("was refused by the former session: the next one gets it", async () => {
    const started = await startConversation();
    expire(started.bff);
    started.bff.script(MESSAGES, () => problem("session_expired"));
    started.chat.outbox.send("still here?");
    await settle();
    expect(bodies(started.chat)).toEqual(["still here?"]);
  });

  it("whose answer was lost is a doubt, and only its customer sends it again", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, fail);
    chat.outbox.send("refund me");
    chat.outbox.send("please");
    await settle();
    expire(bff);
    bff.script(MESSAGES, () => problem("session_expired"));
    await time.advance(20_000);
    expect(bff.calls(START)).toHaveLength(1);
    expect(chat.conversation.log.value.pending).toMatchObject([DOUBT, DOUBT]);
    chat.outbox.retryAll();
    await settle();
    expect(bodies(chat)).toEqual(["refund me", "please"]);
  });

  it("that has no answer yet and gets none becomes a doubt", async () => {
    const { bff, chat, time } = await startConversation();
    const held = Promise.withResolvers<Response>();
    bff.script(MESSAGES, () => held.promise);
    chat.outbox.send("refund me");
    await settle();
    expire(bff);
    await chat.session.refresh();
    held.reject(new TypeError("Failed to fetch"));
    await time.advance(60_000);
    expect(bff.calls(START)).toHaveLength(1);
    expect(waiting(chat)).toEqual(["refund me: not_confirmed"]);
  });

  it("that the former session confirms late does not bring back its conversation", async () => {
    const { bff, chat } = startChat();
    const held = Promise.withResolvers<void>();
    bff.script(START, async (request, signal) => {
      const answer = await bff.answer(request, signal);
      await held.promise;
      return answer;
    });
    chat.open();
    chat.outbox.send("refund me");
    await settle();
    expire(bff);
    await chat.session.refresh();
    held.resolve();
    await settle();
    expect(chat.conversation.current.value).toBeNull();
  });

  it("and was written on an earlier page is a doubt there too", async () => {
    const { bff, reload } = await leave(MESSAGES, ({ chat }) => chat.outbox.send("refund me"));
    expire(bff);
    const { chat } = reload();
    await settle();
    expect(chat.conversation.log.value.pending).toMatchObject([DOUBT]);
    expect(bff.calls(START)).toHaveLength(1);
  });

  it("is a doubt there too if the next session only starts at the second attempt, or after another reload", async () => {
    for (const isReloaded of [false, true]) {
      const { bff, reload } = await leave(MESSAGES, ({ chat }) => chat.outbox.send("refund me"));
      expire(bff);
      bff.script(SESSION, (request, signal) => bff.answer(request, signal), ...times(2));
      let { chat, time } = reload();
      await settle();
      expect(chat.session.state.value.kind).toBe("failed");
      if (isReloaded) ({ chat, time } = reload());
      await time.advance(5_000);
      expect(chat.session.state.value.kind).toBe("ready");
      expect(chat.conversation.log.value.pending).toMatchObject([DOUBT]);
      expect(bff.calls(START)).toHaveLength(1);
    }
  });

  it("is a doubt there too if another tab has begun the next conversation", async () => {
    const { bff, reload, openTab } = await leave(MESSAGES, ({ chat }) => chat.outbox.send("refund me"));
    expire(bff);
    openTab().chat.outbox.send("Hello again");
    await settle();
    const { chat } = reload();
    await settle();
    expect(bodies(chat)).toEqual(["Hello again"]);
    expect(chat.conversation.log.value.pending).toMatchObject([DOUBT]);
  });

  it("OUT1 is sent by itself if no request ever carried it", async () => {
    const { bff, reload } = await leave(SESSION, ({ bff }) => bff.script(SESSION, fail));
    expire(bff);
    const { chat, time } = reload();
    chat.outbox.send("Is anybody there?");
    await settle();
    expect(waiting(chat)).toEqual(["Is anybody there?: queued"]);
    await time.advance(5_000);
    expect(bodies(chat)).toEqual(["Is anybody there?"]);
  });
});

describe("OUT4 a request for a person that was on its way when its session expired", () => {
  for (const [way, meet] of Object.entries(WAYS)) {
    it(`${way}: is made after the next message, and not taken for made before`, async () => {
      const started = await startConversation();
      const { bff, chat, happenings } = started;
      await meet(started, HANDOFF, () => chat.conversation.requestHuman("refund"));
      expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
      expect(chat.conversation.isLost.value).toBe(false);
      expect(types(happenings)).not.toContain("handoff.requested");
      chat.outbox.send("Hello again");
      await settle();
      expect(bff.calls(HANDOFF).at(-1)).toMatchObject({
        body: { reason: "refund" },
        query: "?conversationId=conversation-2",
      });
      expect(chat.conversation.current.value?.handoff?.status).toBe("requested");
    });
  }

  it("and was made on an earlier page is made after the next message there too", async () => {
    const { bff, reload } = await leave(HANDOFF, ({ chat }) => chat.conversation.requestHuman());
    expire(bff);
    const { chat } = reload();
    await settle();
    expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    expect(bff.calls(HANDOFF)).toHaveLength(1);
  });

  it("OUT2 is not made again by a reload if the session has not expired, also if an earlier version stored the request", async () => {
    for (const isOld of [false, true]) {
      const { bff, tabStorage, reload } = await leave(HANDOFF, ({ chat }) =>
        chat.conversation.requestHuman(),
      );
      if (isOld)
        for (const [key, value] of tabStorage.map)
          tabStorage.map.set(key, value.replaceAll(/,?"by":"[^"]*"/g, ""));
      const { chat } = reload();
      await settle();
      expect(chat.conversation.handoffRequest.value.kind).toBe("failed");
      expect(bff.calls(HANDOFF)).toHaveLength(1);
    }
  });

  it("SAY1 that waits for the next message is not announced again by a reload or another expiry", async () => {
    const { bff, chat, happenings, reload } = await leave(HANDOFF, () => undefined);
    expire(bff);
    await chat.session.refresh();
    await chat.conversation.requestHuman();
    expect(types(happenings)).toContain("said");
    const next = reload();
    await settle();
    expect(next.chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    expire(bff);
    await next.chat.session.refresh();
    expect(next.chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    expect(types(next.happenings)).not.toContain("said");
  });

  it("is made at once if another tab has begun the next conversation, also after a reload", async () => {
    for (const isReloaded of [true, false]) {
      const left = await leave(HANDOFF, ({ chat }) => chat.conversation.requestHuman("refund"));
      expire(left.bff);
      left.openTab().chat.outbox.send("Hello again");
      await settle();
      if (isReloaded) left.reload();
      else await left.chat.session.refresh();
      await settle();
      expect(left.bff.calls(HANDOFF).at(-1)).toMatchObject({
        body: { reason: "refund" },
        query: "?conversationId=conversation-2",
      });
      expect(left.bff.calls(HANDOFF)).toHaveLength(2);
    }
  });
});
