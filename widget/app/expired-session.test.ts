// @vitest-environment node
import { describe, expect, it } from "vitest";
import { answerAction } from "./answer-action.ts";
import { ContactModel } from "./contact-model.ts";
import { createExtrasClient } from "./extras-client.ts";
import { createFeedback } from "./feedback.ts";
import { SummaryModel } from "./summary-model.ts";
import { settle } from "./testing/manual-time.ts";
import { problem, type ScriptedBff } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation, types } from "./testing/start-chat.ts";
import { keptAnswer, pdf, startExtras } from "./testing/start-extras.ts";
import { bodies, fail, waiting } from "./testing/start-network.ts";
import { createTexts } from "./texts.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const HANDOFF = "POST /api/conversation/handoff";

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
    const [{ bff }, storage, tabStorage] = [startChat(), createMapStorage(), createMapStorage()];
    const first = startChat(bff, storage, { tabStorage });
    first.chat.open();
    first.chat.outbox.send("Hello");
    await settle();
    bff.script(MESSAGES, fail);
    first.chat.outbox.send("refund me");
    await settle();
    expire(bff);
    const { chat } = startChat(bff, storage, { tabStorage });
    chat.open();
    await settle();
    expect(chat.conversation.log.value.pending).toMatchObject([DOUBT]);
    expect(bff.calls(START)).toHaveLength(1);
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
    const [{ bff }, storage, tabStorage] = [startChat(), createMapStorage(), createMapStorage()];
    const first = startChat(bff, storage, { tabStorage });
    first.chat.open();
    first.chat.outbox.send("Hello");
    await settle();
    bff.script(HANDOFF, fail);
    await first.chat.conversation.requestHuman();
    expire(bff);
    const { chat } = startChat(bff, storage, { tabStorage });
    chat.open();
    await settle();
    expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    expect(bff.calls(HANDOFF)).toHaveLength(1);
  });
});

describe("OUT4 whatever else was on its way when its session expired", () => {
  const texts = createTexts({}, "en");
  const action = { actionId: "action-1", seq: 3, title: "Cancel order" } as const;
  type Extras = Awaited<ReturnType<typeof startExtras>>;
  const calls = ({ bff, chat }: Extras) =>
    createExtrasClient({ fetch: bff.fetch }, chat.client, () => fail());
  const MATTERS: Record<string, [route: string, act: (started: Extras) => unknown, doubt: string]> = {
    "a rating": [
      "POST /api/conversation/rating",
      ({ aftercare }) => aftercare.rate({ score: "up" }),
      texts.rateNotConfirmed,
    ],
    "an address": [
      "POST /api/conversation/contact",
      (started) => new ContactModel({ client: calls(started), chat: started.chat }).set("ann@shop.example"),
      texts.sentence(texts.notConfirmed),
    ],
    "a score of an answer": [
      "POST /api/conversation/feedback",
      ({ chat }) => createFeedback(chat).give("m3", "up"),
      texts.rateNotConfirmed,
    ],
    "a consent to an action": [
      "POST /api/conversation/actions",
      ({ chat }) => answerAction(chat, action.actionId, true),
      texts.actionNotConfirmed,
    ],
  };

  for (const [way, meet] of Object.entries(WAYS))
    for (const [what, [route, act, doubt]] of Object.entries(MATTERS))
      it(`${way}: ${what} is a doubt beside the word that the session has expired`, async () => {
        const started = await startExtras();
        started.bff.say("An answer");
        await settle();
        await meet(started, route, gone, () => act(started));
        expect(started.chat.conversation.startedOver.value?.doubt?.(texts)).toContain(doubt);
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
      expect(started.chat.conversation.startedOver.value?.doubt?.(texts)).toContain("Not confirmed");
    });
  }

  it("a file is sent to the next session, because the team sees no file without a message", async () => {
    const started = await startExtras(() => problem("session_expired"), keptAnswer);
    expire(started.bff);
    await started.pick(pdf());
    expect(started.states()).toEqual(["stored"]);
  });
});
