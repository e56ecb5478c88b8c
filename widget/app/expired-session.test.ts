// @vitest-environment node
import { describe, expect, it } from "vitest";
import { answerAction } from "./answer-action.ts";
import { applyContact, applyFeedback } from "./apply-details.ts";
import { ContactModel } from "./contact-model.ts";
import { createExtrasClient } from "./extras-client.ts";
import { createFeedback } from "./feedback.ts";
import { SummaryModel } from "./summary-model.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, problem, type ScriptedBff } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation, types } from "./testing/start-chat.ts";
import { keptAnswer, pdf, startExtras } from "./testing/start-extras.ts";
import { bodies, fail, times, waiting } from "./testing/start-network.ts";
import { createTexts } from "./texts.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const HANDOFF = "POST /api/conversation/handoff";
const SESSION = "POST /api/session";

type Answer = () => Response | Promise<Response>;

/** The BFF knows none of its sessions any more, and the next one has no conversation. */
function expire({ state }: ScriptedBff) {
  state.tokens.clear();
  state.conversation = null;
}

/** How a request that is on its way may find that its session is over; `none` answers for the next session. */
const WAYS: Record<
  string,
  (started: Started, route: string, none: Answer, act: () => unknown) => Promise<void>
> = {
  async refused({ bff }, route, none, act) {
    expire(bff);
    bff.script(route, () => problem("session_expired"), none);
    act();
    await settle();
  },
  async unanswered({ bff, chat }, route, _, act) {
    const held = Promise.withResolvers<Response>();
    bff.script(route, () => held.promise);
    act();
    await settle();
    expire(bff);
    await chat.session.refresh();
    held.reject(new TypeError("Failed to fetch"));
    await settle();
  },
};
type Started = Pick<Awaited<ReturnType<typeof startConversation>>, "bff" | "chat">;

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

const gone: Answer = () => problem("no_conversation");

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
      await meet(started, HANDOFF, gone, () => chat.conversation.requestHuman("refund"));
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

describe("OUT4 whatever else was on its way when its session expired", () => {
  const texts = createTexts({}, "en");
  const action = { actionId: "action-1", name: "cancel_order", title: "Cancel order" } as const;
  type Extras = Awaited<ReturnType<typeof startExtras>>;
  const calls = ({ bff, chat }: Extras) =>
    createExtrasClient({ fetch: bff.fetch }, chat.client, () => fail());
  const feedbackOf = ({ chat }: Extras) => {
    const feedback = createFeedback(chat);
    feedback.watchExpiry();
    return feedback;
  };
  const doubtsOf = ({ chat }: Extras) =>
    chat.conversation.startedOver.value?.doubts.map((doubt) => doubt(texts));
  const MATTERS: Record<string, [route: string, act: (started: Extras) => unknown, doubt: string]> = {
    "a rating": [
      "POST /api/conversation/rating",
      ({ aftercare }) => aftercare.rate({ score: "up" }),
      texts.rateNotConfirmed,
    ],
    "an address": [
      "POST /api/conversation/contact",
      (started) => new ContactModel({ client: calls(started), chat: started.chat }).set("ann@shop.example"),
      "ann@shop.example: Not confirmed.",
    ],
    "a removal of an address": [
      "POST /api/conversation/contact",
      (started) => {
        const { log, commit } = started.chat.conversation;
        commit(applyContact(log.value, "ann@shop.example"));
        return new ContactModel({ client: calls(started), chat: started.chat }).set(null);
      },
      "Remove ann@shop.example: Not confirmed.",
    ],
    "a score of an answer": [
      "POST /api/conversation/feedback",
      (started) => feedbackOf(started).give("m3", "up"),
      texts.rateNotConfirmed,
    ],
    "taking a score back": [
      "POST /api/conversation/feedback",
      (started) => {
        const { log, commit } = started.chat.conversation;
        commit(applyFeedback(log.value, { messageId: "m3", score: "up" }));
        return feedbackOf(started).give("m3", null);
      },
      texts.rateNotConfirmed,
    ],
    "an end that the page or the customer asked for": [
      "DELETE /api/conversation",
      ({ chat }) => chat.conversation.end(),
      texts.endNotConfirmed,
    ],
    "a consent to an action": [
      "POST /api/conversation/actions",
      ({ chat }) => answerAction(chat, action.actionId, true),
      texts.actionNotConfirmed,
    ],
  };

  for (const [way, meet] of Object.entries(WAYS))
    for (const [what, [route, act, doubt]] of Object.entries(MATTERS))
      it(`${way}: ${what} is a doubt beside the text that the session has expired`, async () => {
        const started = await startExtras();
        started.bff.say("An answer");
        await settle();
        await meet(started, route, gone, () => act(started));
        expect(doubtsOf(started)).toContain(doubt);
      });

  for (const [way, meet] of Object.entries(WAYS)) {
    it(`${way}: a deletion is a doubt, and never taken for done`, async () => {
      const started = await startExtras();
      await meet(started, "DELETE /api/conversation/content", gone, () => started.aftercare.erase());
      expect(started.aftercare.isFormerInDoubt.value).toBe(true);
      expect(started.chat.conversation.isErased.value).toBe(false);
    });

    it(`${way}: a summary is a doubt`, async () => {
      const started = await startExtras();
      started.bff.setHandoff("requested");
      await settle();
      const summary = new SummaryModel({ client: calls(started), chat: started.chat });
      summary.write("My order never came.");
      const send = () => summary.send();
      await meet(started, "POST /api/conversation/summary", gone, send);
      expect(doubtsOf(started)).toEqual(["Add a summary for our team: Not confirmed."]);
    });
  }

  it("a summary that was shown as failed before stays a doubt", async () => {
    const started = await startExtras();
    started.bff.setHandoff("requested");
    await settle();
    const summary = new SummaryModel({ client: calls(started), chat: started.chat });
    summary.write("My order never came.");
    started.bff.script("POST /api/conversation/summary", () => problem("not_confirmed"));
    await summary.send();
    expire(started.bff);
    await started.chat.session.refresh();
    expect(doubtsOf(started)).toEqual(["Add a summary for our team: Not confirmed."]);
  });

  for (const [what, [route, act, doubt]] of Object.entries(MATTERS))
    it(`${what} that was shown as failed before stays a doubt, once, and is not said of the next session`, async () => {
      const started = await startExtras();
      started.bff.say("An answer");
      started.bff.record({ type: "action.requested", at: AT, seq: started.bff.nextSeq(), action });
      await settle();
      started.bff.script(route, () => problem("not_confirmed"));
      await act(started);
      for (let times = 0; times < 2; times++) {
        expire(started.bff);
        await started.chat.session.refresh();
        expect(doubtsOf(started)).toEqual([doubt]);
      }
    });

  it("several of them are all said", async () => {
    const started = await startExtras();
    const { bff, chat, aftercare } = started;
    const held = Promise.withResolvers<Response>();
    for (const [route] of Object.values(MATTERS)) bff.script(route, () => held.promise);
    bff.say("An answer");
    await settle();
    void aftercare.rate({ score: "up" });
    void createFeedback(chat).give("m3", "up");
    void chat.conversation.end();
    await settle();
    expire(bff);
    await chat.session.refresh();
    held.reject(new TypeError("Failed to fetch"));
    await settle();
    expect(new Set(doubtsOf(started))).toEqual(new Set([texts.endNotConfirmed, texts.rateNotConfirmed]));
  });

  it("a doubt about an end that was on the screen before stays, also when the next session expires", async () => {
    const started = await startExtras();
    const { bff, chat } = started;
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await chat.conversation.end();
    for (let times = 0; times < 2; times++) {
      expire(bff);
      await chat.session.refresh();
      expect(doubtsOf(started)).toEqual([texts.endNotConfirmed]);
    }
  });

  it("a doubt about a deletion that was on the screen before stays, also beside another tab's conversation", async () => {
    for (const isThere of [false, true]) {
      const { bff, chat, aftercare } = await startExtras();
      bff.script("DELETE /api/conversation/content", () => problem("not_confirmed"));
      await aftercare.erase();
      const { conversation } = bff.state;
      expire(bff);
      if (isThere && conversation) bff.state.conversation = { ...conversation, id: "conversation-2" };
      await chat.session.refresh();
      expect(aftercare.isFormerInDoubt.value).toBe(true);
      expect(aftercare.erasure.value.kind).toBe("idle");
    }
  });

  it("a score that the log proved before is no doubt", async () => {
    const started = await startExtras();
    const { bff, chat } = started;
    bff.say("An answer");
    await settle();
    const held = Promise.withResolvers<Response>();
    bff.script("POST /api/conversation/feedback", () => held.promise);
    const given = createFeedback(chat).give("m3", "up");
    await settle();
    chat.conversation.commit(applyFeedback(chat.conversation.log.value, { messageId: "m3", score: "up" }));
    expire(bff);
    await chat.session.refresh();
    held.reject(new TypeError("Failed to fetch"));
    await given;
    expect(doubtsOf(started)).toEqual([]);
  });

  it("IDENT3 nothing is in doubt of a conversation that a sign-in in another tab took along", async () => {
    const started = await startExtras();
    const { bff, chat } = started;
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await chat.conversation.end();
    bff.state.tokens.clear();
    await chat.session.refresh();
    expect(chat.conversation.startedOver.value).toBeNull();
    expect(chat.conversation.endRequest.value.kind).toBe("failed");
    expect(bodies(chat)).toEqual(["Hello"]);
  });

  it("a late confirmation of the former end says nothing of the next conversation's", async () => {
    const { bff, chat } = await startExtras();
    const held = Promise.withResolvers<void>();
    bff.script("DELETE /api/conversation", async (request, signal) => {
      const answer = await bff.answer(request, signal);
      await held.promise;
      return answer;
    });
    const ended = chat.conversation.end();
    await settle();
    expire(bff);
    await chat.session.refresh();
    chat.outbox.send("Hello again");
    await settle();
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await chat.conversation.end();
    held.resolve();
    await ended;
    expect(chat.conversation.endRequest.value.kind).toBe("failed");
  });

  it("an end that the former session confirms late is no doubt", async () => {
    const started = await startExtras();
    const { bff, chat } = started;
    const held = Promise.withResolvers<void>();
    bff.script("DELETE /api/conversation", async (request, signal) => {
      const answer = await bff.answer(request, signal);
      await held.promise;
      return answer;
    });
    const ended = chat.conversation.end();
    await settle();
    expire(bff);
    await chat.session.refresh();
    expect(doubtsOf(started)).toEqual([]);
    held.resolve();
    expect(await ended).toBeUndefined();
    expect(doubtsOf(started)).toEqual([]);
  });

  it("a doubt stays beside that of the next conversation, whose session expires too", async () => {
    const started = await startExtras();
    const { bff, chat, aftercare } = started;
    await WAYS["unanswered"]?.(started, "POST /api/conversation/rating", gone, () =>
      aftercare.rate({ score: "up" }),
    );
    chat.outbox.send("Hello again");
    await settle();
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await chat.conversation.end();
    expire(bff);
    await chat.session.refresh();
    expect(doubtsOf(started)).toEqual([texts.rateNotConfirmed, texts.endNotConfirmed]);
  });

  it("a file is sent to the next session, because the team sees no file without a message", async () => {
    const started = await startExtras(() => problem("session_expired"), keptAnswer);
    expire(started.bff);
    await started.pick(pdf());
    expect(started.states()).toEqual(["stored"]);
  });
});
