// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Chat } from "./chat.ts";
import type { TabMessage } from "./environment.ts";
import { createExtrasClient } from "./extras-client.ts";
import { SummaryModel } from "./summary-model.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, createScriptedBff, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat } from "./testing/start-chat.ts";
import { fail } from "./testing/start-network.ts";
import { KEPT } from "./testing/start-vain.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const PROPOSE = "GET /api/conversation/summary";
const SEND = "POST /api/conversation/summary";
const HANDOFF = "handoff-1";
const MINE = "It is urgent.";

const summaryOf = (text: string) => ({ handoffId: HANDOFF, sentences: [{ text }] });
const accept = (text: string) => () => json(200, { summary: summaryOf(text) });
const never = () => new Promise<Response>(() => undefined);

type Bff = Pick<ReturnType<typeof createScriptedBff>, "fetch">;
type Tab = Parameters<typeof startChat>[2];

function summaryIn(bff: Bff, chat: Chat) {
  const client = createExtrasClient({ fetch: bff.fetch }, chat.client, () =>
    Promise.reject(new Error("no file")),
  );
  return new SummaryModel({ client, chat });
}

/** A customer who waits for a person and has edited the proposed summary. */
async function startEdited(more: Tab = {}) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, "summary"];
  const tabStorage = createMapStorage();
  const started = startChat(bff, undefined, { tabStorage, ...more });
  const { chat } = started;
  const summary = summaryIn(bff, chat);
  chat.open();
  chat.outbox.send("Hello");
  await settle();
  await chat.conversation.requestHuman();
  await settle();
  const generated = { by: "ai" };
  bff.script(PROPOSE, () =>
    json(200, { summary: { handoffId: HANDOFF, sentences: [{ text: "Hello", seq: 2 }], generated } }),
  );
  await summary.open();
  expect(summary.text.value).toBe("Hello");
  summary.write(MINE);
  const recordSent = async (text: string) => {
    bff.record({ type: "summary.sent", seq: bff.nextSeq(), at: AT, summary: summaryOf(text) });
    await settle();
  };
  return { ...started, bff, tabStorage, summary, recordSent };
}

type Before = Pick<Awaited<ReturnType<typeof startEdited>>, "bff" | "storage" | "tabStorage">;

/** The same tab, loaded again, before its session is answered. */
function reload({ bff, storage, tabStorage }: Before, more: Tab = {}) {
  bff.cutStreams();
  // What the earlier page still does is not part of this tab any more.
  const copy = createMapStorage();
  for (const [key, value] of tabStorage.map) copy.setItem(key, value);
  const { chat } = startChat(bff, storage, { tabStorage: copy, ...more });
  chat.open();
  return { chat, tabStorage: copy };
}

async function reloadAll(before: Before) {
  const after = reload(before);
  await settle();
  return { ...after, summary: summaryIn(before.bff, after.chat) };
}

describe("HAND6 OUT2 a summary that the customer edited and has not sent", () => {
  it.each([
    ["before", true],
    ["after", false],
  ])("is back in its box after a reload, where its part loads %s the session", async (_, isEarly) => {
    const before = await startEdited();
    const { bff } = before;
    const { chat, tabStorage } = reload(before);
    const early = isEarly ? summaryIn(bff, chat) : undefined;
    expect([early?.text.value, chat.composer.summary.value]).toEqual([isEarly ? "" : undefined, undefined]);
    expect(tabStorage.map.get(KEPT)).toContain(MINE);
    await settle();
    const summary = early ?? summaryIn(bff, chat);
    expect([summary.text.value, summary.isOpen.value, summary.isGenerated.value]).toEqual([MINE, true, true]);
    expect([summary.request.value.kind, summary.isSent.value]).toEqual(["idle", false]);
    expect(bff.calls(SEND)).toEqual([]);
    bff.script(SEND, accept(MINE));
    await summary.send();
    expect(bff.calls(SEND).map(({ body }) => body)).toEqual([{ handoffId: HANDOFF, text: MINE }]);
    expect([summary.isSent.value, tabStorage.map.has(KEPT)]).toEqual([true, false]);
  });

  it("stays in a box that the customer closed", async () => {
    const before = await startEdited();
    before.summary.close();
    const { summary } = await reloadAll(before);
    expect([summary.text.value, summary.isOpen.value]).toEqual([MINE, false]);
  });

  it("stays when the session is read again on the same page", async () => {
    const { chat, summary } = await startEdited();
    await chat.session.refresh();
    expect([summary.text.value, summary.isOpen.value]).toEqual([MINE, true]);
  });

  it("is back once support answers, if nothing did right after the reload", async () => {
    const before = await startEdited();
    const network = { isThere: false };
    const fetch: Bff["fetch"] = (path, init) => (network.isThere ? before.bff.fetch(path, init) : fail());
    const { chat, tabStorage } = reload(before, { fetch });
    await settle();
    expect(chat.session.state.value.kind).toBe("failed");
    expect(tabStorage.map.get(KEPT)).toContain(MINE);
    network.isThere = true;
    chat.wake();
    await settle();
    expect(summaryIn(before.bff, chat).text.value).toBe(MINE);
  });

  it("TRUTH1 is in doubt after a reload while its request was under way, and a retry may be refused", async () => {
    const before = await startEdited();
    const { bff } = before;
    bff.script(SEND, never);
    void before.summary.send();
    const { summary } = await reloadAll(before);
    expect([summary.text.value, summary.request.value.kind, summary.isSent.value]).toEqual([
      MINE,
      "failed",
      false,
    ]);
    bff.script(SEND, () => problem("key_reused"));
    await summary.send();
    expect(summary.request.value).toMatchObject({ kind: "failed", failure: { code: "key_reused" } });
    expect([summary.text.value, summary.isSent.value]).toEqual([MINE, false]);
  });

  it.each([
    ["this text, which counts as sent once the service says so again", accept(MINE), true],
    ["another tab's, for which this text does not pass", () => problem("key_reused"), false],
  ])("TRUTH1 is in doubt beside a summary in the log: %s", async (_, answer, isSent) => {
    const before = await startEdited();
    const { bff } = before;
    bff.script(SEND, never, answer);
    void before.summary.send();
    const after = reload(before);
    await before.recordSent("Some text.");
    const summary = summaryIn(bff, after.chat);
    await settle();
    expect(bff.calls(SEND)).toHaveLength(2);
    expect([summary.isSent.value, summary.text.value]).toEqual([isSent, isSent ? "" : MINE]);
  });

  it("TRUTH1 is not sent by the log's entry if it was changed after its request", async () => {
    const before = await startEdited();
    before.bff.script(SEND, () => problem("support_timeout"));
    await before.summary.send();
    before.summary.write("Half a");
    const after = reload(before);
    await before.recordSent(MINE);
    const summary = summaryIn(before.bff, after.chat);
    await settle();
    expect(before.bff.calls(SEND)).toHaveLength(1);
    expect([summary.text.value, summary.request.value.kind]).toEqual(["Half a", "failed"]);
  });

  it.each<[string, (edited: Awaited<ReturnType<typeof startEdited>>) => unknown]>([
    ["the customer discarded it", ({ summary }) => summary.cancel()],
    ["the customer emptied the box", ({ summary }) => summary.write("")],
    ["the customer logged out", ({ chat }) => chat.identity.logout()],
    ["another tab sent a summary", ({ recordSent }) => recordSent("Of another tab.")],
    [
      "the request was returned and there is another one",
      ({ bff, chat }) => {
        bff.script("POST /api/conversation/handoff", () =>
          json(200, { handoff: { id: "handoff-2", status: "requested" } }),
        );
        bff.setHandoff("returned");
        return settle().then(() => chat.conversation.requestHuman());
      },
    ],
  ])("is not stored any more once %s", async (_, act) => {
    const edited = await startEdited();
    expect(edited.tabStorage.map.get(KEPT)).toContain(MINE);
    await act(edited);
    expect(edited.tabStorage.map.has(KEPT)).toBe(false);
    const { summary } = await reloadAll(edited);
    expect(summary.text.value).toBe("");
  });

  it("is not stored any more once the conversation was erased", async () => {
    let hear: (message: TabMessage) => void = () => undefined;
    const tabs = {
      post: () => undefined,
      listen: (given: typeof hear) => {
        hear = given;
      },
    };
    const { summary, tabStorage } = await startEdited({ tabs });
    hear("erased conversation-1");
    expect([summary.text.value, tabStorage.map.has(KEPT)]).toEqual(["", false]);
  });

  it("is dropped after a reload if another tab sent a summary, or if the request is over", async () => {
    for (const event of ["sent", "over"]) {
      const before = await startEdited();
      const left = createMapStorage();
      left.setItem(KEPT, before.tabStorage.map.get(KEPT) ?? "");
      if (event === "sent") await before.recordSent("Of another tab.");
      else before.bff.state.conversation = null;
      const { summary, tabStorage } = await reloadAll({ ...before, tabStorage: left });
      expect([summary.text.value, summary.isSent.value]).toEqual(["", event === "sent"]);
      expect(tabStorage.map.has(KEPT)).toBe(false);
    }
  });

  const box = { handoffId: HANDOFF, text: "secret", isOpen: true, isGenerated: false };
  it.each([
    ["this customer's (control)", {}, box, "secret"],
    ["another customer's", { owner: "ann" }, box, ""],
    ["another logout's", { era: "before" }, box, ""],
    ["another request's", {}, { ...box, handoffId: "handoff-0" }, ""],
    ["of another shape", {}, { ...box, text: 7 }, ""],
  ])(
    "in storage that is %s is restored only for its owner, logout and request",
    async (_, entry, stored, text) => {
      const before = await startEdited();
      before.summary.cancel();
      const all = [{ era: "", owner: "", draft: "", pending: [], summary: stored, ...entry }];
      before.tabStorage.setItem(KEPT, JSON.stringify(all));
      const { summary } = await reloadAll(before);
      expect(summary.text.value).toBe(text);
    },
  );
});

describe("HAND6 OUT3 an identified customer's unsent summary", () => {
  const leave = async () => {
    const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    bff.waiters.add("ann").add("bob");
    const ann = await visitOf("ann", { bff, storage, tabStorage });
    summaryIn(bff, ann.chat).write("words of ann");
    expect(tabStorage.map.get(KEPT)).toContain("words of ann");
    return { ann, kept: { bff, storage, tabStorage } };
  };

  it("is back after a reload, but not before the site has said who is there", async () => {
    const { ann, kept } = await leave();
    ann.chat.pause();
    const again = startVisit(kept);
    const summary = summaryIn(kept.bff, again.chat);
    again.identify("ann");
    again.chat.open();
    expect(summary.text.value).toBe("");
    await settle();
    expect(summary.text.value).toBe("words of ann");
  });

  it("is neither shown to another customer after a reload nor stored any more", async () => {
    const { ann, kept } = await leave();
    ann.chat.pause();
    const bob = await visitOf("bob", kept);
    expect(summaryIn(kept.bff, bob.chat).text.value).toBe("");
    expect(kept.tabStorage.map.has(KEPT)).toBe(false);
  });

  it.each([
    ["that arrived", false],
    ["that arrives later", true],
  ])(
    "disappears with its doubt when another customer is identified here: a failure %s",
    async (_, isLate) => {
      const { ann, kept } = await leave();
      const summary = summaryIn(kept.bff, ann.chat);
      let answer: () => void = () => undefined;
      const failure = new Promise<Response>((resolve) => {
        answer = () => resolve(problem("support_timeout"));
      });
      kept.bff.script(SEND, () => failure);
      const sending = summary.send();
      if (!isLate) answer();
      await settle();
      expect(summary.request.value.kind).toBe(isLate ? "asking" : "failed");
      kept.bff.words.set("bob", ["words of bob"]);
      ann.identify("bob");
      await settle();
      expect(ann.who()).toBe("bob");
      answer();
      await sending;
      await summary.open();
      expect([summary.text.value, summary.request.value.kind]).toEqual(["", "idle"]);
      expect(kept.tabStorage.map.has(KEPT)).toBe(false);
    },
  );
});
