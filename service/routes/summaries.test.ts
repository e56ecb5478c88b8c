import { describe, expect, test } from "vitest";
import { proposeSummary, sendSummary } from "../../shared/v1/summaries.ts";
import { readEventStream } from "../testing/event-reader.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const PERSON = { id: "user_1", name: "Maria" };

/** A customer who wrote to the agent about a lamp, and then asked for a person. */
async function openWaiting({ isAsked = true } = {}) {
  const t = await openTestService();
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, "Hello! My lamp is broken. It is order 48213.");
  await t.service.settled();
  const ask = () => ann.post("/v1/support/handoffs", { conversationId: id });
  if (isAsked) await ask();
  const path = `/v1/support/conversations/${id}/summary`;
  const propose = async (by = ann) => proposeSummary.answer.parse(await (await by.get(path)).json()).summary;
  const post = (text: unknown, handoffId: unknown, by = ann) => by.post(path, { handoffId, text });
  return {
    t,
    ann,
    id,
    path,
    ask,
    propose,
    post,
    target: { workspaceId: t.workspace.id, conversationId: id },
    send: async (text: string) => {
      const answer = await post(text, (await propose()).handoffId);
      return sendSummary.answer.parse(await answer.json()).summary;
    },
    sent: async () => (await ann.transcript(id)).marks?.filter(({ type }) => type === "summary.sent") ?? [],
  };
}
const LAMP = "My lamp is broken.";
const ORDER = "It is order 48213.";

describe("HAND6 a summary is proposed", () => {
  test("from the messages before the hand-off, each sentence with its place, and nothing is stored", async () => {
    const { ann, id, propose, t, target } = await openWaiting();
    await ann.say(id, "Is anybody there?");
    const first = await propose();
    expect(first.sentences).toEqual([
      { text: LAMP, seq: 2 },
      { text: ORDER, seq: 2 },
      { text: "AI agent: An article", seq: 3 },
    ]);
    expect(await propose()).toEqual(first);
    const seen = JSON.stringify((await t.store.desk.readDeskConversation(target))?.events);
    expect(seen).not.toContain("summary");
  });

  test("only while a request for a person is open", async () => {
    const { ann, id, ask, path, propose, target, t } = await openWaiting({ isAsked: false });
    const refused = async () => (await problemOf(await ann.get(path))).code;
    expect(await refused()).toBe("handoff_unavailable");
    await t.store.desk.takeConversation(target, PERSON);
    expect(await refused()).toBe("handoff_unavailable");
    await t.store.desk.returnToAgent(target, PERSON);
    await ask();
    await t.store.desk.acceptHandoff(target, PERSON);
    expect((await propose()).sentences[0]).toEqual({ text: LAMP, seq: 2 });
    await t.store.desk.returnToAgent(target, PERSON);
    expect(await refused()).toBe("handoff_unavailable");
    await ann.delete(`/v1/support/conversations/${id}`);
    expect(await refused()).toBe("conversation_ended");
  });
});

describe("HAND6 a summary is sent", () => {
  test("as the customer left it: their own words have no place in the log", async () => {
    const { send, sent, t, target, id } = await openWaiting();
    const sentences = [{ text: LAMP, seq: 2 }, { text: "I need it by Friday.\nOrder 48213." }];
    const summary = await send(`${LAMP}\nI need it by Friday.\n\nOrder 48213.\n`);
    expect(summary).toMatchObject({ conversationId: id, sentences });
    expect(await sent()).toHaveLength(1);
    const whole = await t.store.desk.readDeskConversation(target);
    const { handoffId } = summary;
    expect(whole?.events?.at(-1)).toMatchObject({ type: "summary.sent", summary: { handoffId, sentences } });
  });

  test("once for each hand-off: the same text again changes nothing, another one is refused", async () => {
    const { send, sent, post, propose, ask, t, target } = await openWaiting();
    const { handoffId } = await propose();
    const first = await send(LAMP);
    expect(await send(LAMP)).toEqual(first);
    expect(await propose()).toMatchObject({ handoffId, isSent: true, sentences: [] });
    expect((await problemOf(await post(ORDER, handoffId))).code).toBe("key_reused");
    expect(await sent()).toHaveLength(1);
    await t.store.desk.acceptHandoff(target, PERSON);
    await t.store.desk.returnToAgent(target, PERSON);
    await ask();
    expect((await problemOf(await post(LAMP, handoffId))).code).toBe("handoff_unavailable");
    await send(ORDER);
    expect(await sent()).toHaveLength(2);
  });

  test("by twenty requests at once it is in the log once", async () => {
    const { propose, post, sent } = await openWaiting();
    const { handoffId } = await propose();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(LAMP, handoffId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await sent()).toHaveLength(1);
  });

  test("reaches the open streams of the conversation", async () => {
    const { ann, id, send } = await openWaiting();
    const reader = readEventStream(await ann.get(`/v1/support/conversations/${id}/events`));
    await send(LAMP);
    const read = await reader.until((all) => all.some(({ event }) => event.type === "summary.sent"));
    expect(read.at(-1)?.event).toMatchObject({ summary: { sentences: [{ text: LAMP, seq: 2 }] } });
    await reader.leave();
  });

  test("the agent stays silent, and nobody is asked again", async () => {
    const { ann, id, send, t } = await openWaiting();
    const { lastSeq } = await ann.transcript(id);
    await send(LAMP);
    await t.service.settled();
    expect((await ann.transcript(id)).lastSeq).toBe(lastSeq + 1);
  });

  test.each([
    ["nothing", ""],
    ["white space", " \n "],
    ["one character too many", "x".repeat(4001)],
    ["a control character", "\u0000"],
    ["a number", 7],
    ["null", null],
  ])("%s is refused as its text and changes nothing", async (_name, text) => {
    const { propose, post, sent } = await openWaiting();
    expect((await problemOf(await post(text, (await propose()).handoffId))).code).toBe("bad_request");
    expect(await sent()).toEqual([]);
  });

  test("the longest text is taken", async () => {
    const { send } = await openWaiting();
    const text = "x".repeat(4000);
    expect((await send(text)).sentences).toEqual([{ text }]);
  });

  test("nobody else proposes or sends it, and they learn nothing", async () => {
    const { t, path, propose, post, sent } = await openWaiting();
    const { handoffId } = await propose();
    const others = [await t.customer("bob"), await t.customer("ann", await t.addWorkspace("two"))];
    for (const other of others) {
      expect((await problemOf(await other.get(path))).code).toBe("not_found");
      expect((await problemOf(await post("Forged", handoffId, other))).code).toBe("not_found");
    }
    expect(await sent()).toEqual([]);
  });

  test("STORE8 is exported with the customer and erased with the conversation", async () => {
    const { t, ann, id, send } = await openWaiting();
    await send("Only in the summary.");
    const exported = async () => JSON.stringify(await t.store.erasure.exportCustomer(t.workspace.id, "ann"));
    expect(await exported()).toContain("Only in the summary.");
    await ann.delete(`/v1/support/conversations/${id}/content`);
    expect(await exported()).not.toContain("Only in the summary.");
  });
});
