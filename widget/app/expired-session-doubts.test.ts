// @vitest-environment node
import { describe, expect, it } from "vitest";
import { answerAction } from "./answer-action.ts";
import { applyContact, applyFeedback } from "./apply-details.ts";
import { ContactModel } from "./contact-model.ts";
import { createExtrasClient } from "./extras-client.ts";
import { feedbackOf } from "./feedback.ts";
import { SummaryModel } from "./summary-model.ts";
import { expire, WAYS } from "./testing/expire.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, problem } from "./testing/scripted-bff.ts";
import { keptAnswer, pdf, startExtras } from "./testing/start-extras.ts";
import { bodies, fail } from "./testing/start-network.ts";
import { createTexts } from "./texts.ts";

describe("OUT4 whatever else is not confirmed when its session expires", () => {
  const texts = createTexts({}, "en");
  const action = { actionId: "action-1", name: "cancel_order", title: "Cancel order" } as const;
  type Extras = Awaited<ReturnType<typeof startExtras>>;
  const calls = ({ bff, chat }: Extras) =>
    createExtrasClient({ fetch: bff.fetch }, chat.client, () => fail());
  const doubtsOf = ({ chat }: Extras) =>
    chat.conversation.startedOver.value?.doubts.map((doubt) => doubt(texts));
  /** The service ends the conversation and the session expires, before the answer of the end may arrive. */
  const endBeforeExpiry = async ({ bff, chat }: Pick<Extras, "bff" | "chat">) => {
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
    return { ended, arrive: () => held.resolve() };
  };
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
      (started) => feedbackOf(started.chat).give("m3", "up"),
      texts.rateNotConfirmed,
    ],
    "taking a score back": [
      "POST /api/conversation/feedback",
      (started) => {
        const { log, commit } = started.chat.conversation;
        commit(applyFeedback(log.value, { messageId: "m3", score: "up" }));
        return feedbackOf(started.chat).give("m3", null);
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
        await meet(started, route, () => act(started));
        expect(doubtsOf(started)).toContain(doubt);
      });

  for (const [way, meet] of Object.entries(WAYS)) {
    it(`${way}: a deletion is a doubt, and never taken for done`, async () => {
      const started = await startExtras();
      await meet(started, "DELETE /api/conversation/content", () => started.aftercare.erase());
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
      await meet(started, "POST /api/conversation/summary", send);
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
    void feedbackOf(chat).give("m3", "up");
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
    const given = feedbackOf(chat).give("m3", "up");
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
    const { ended, arrive } = await endBeforeExpiry({ bff, chat });
    chat.outbox.send("Hello again");
    await settle();
    bff.script("DELETE /api/conversation", () => problem("not_confirmed"));
    await chat.conversation.end();
    arrive();
    await ended;
    expect(chat.conversation.endRequest.value.kind).toBe("failed");
  });

  it("an end that the former session confirms late is no doubt", async () => {
    const started = await startExtras();
    const { ended, arrive } = await endBeforeExpiry(started);
    expect(doubtsOf(started)).toEqual([]);
    arrive();
    expect(await ended).toBeUndefined();
    expect(doubtsOf(started)).toEqual([]);
  });

  it("a doubt stays beside that of the next conversation, whose session expires too", async () => {
    const started = await startExtras();
    const { bff, chat, aftercare } = started;
    await WAYS["unanswered"]?.(started, "POST /api/conversation/rating", () =>
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
