// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Attachment } from "../../shared/attachment.ts";
import { applyErased } from "./apply-own.ts";
import { settle } from "./testing/manual-time.ts";
import { type createScriptedBff, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat } from "./testing/start-chat.ts";
import { bodies, startNetwork, waiting } from "./testing/start-network.ts";
import { KEPT } from "./testing/start-vain.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const MESSAGES = "POST /api/conversation/messages";

describe("OUT2 after a reload", () => {
  /** The same tab, loaded again. */
  const reload = async (
    before: { bff: ReturnType<typeof createScriptedBff>; storage: ReturnType<typeof createMapStorage> },
    tabStorage: ReturnType<typeof createMapStorage>,
  ) => {
    const after = startChat(before.bff, before.storage, { tabStorage, randomId: () => "key-after" });
    after.chat.open();
    await settle();
    return after;
  };

  it("messages in flight are sent again with their keys, unconfirmed ones stay so, and the draft is restored", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    before.bff.script(MESSAGES, () => problem("internal"));
    before.chat.outbox.send("in doubt");
    await settle();
    before.network.isThere = false;
    before.chat.outbox.send("under way");
    before.chat.composer.draft.value = "half a thought";
    await settle();
    before.bff.cutStreams();
    const { chat, bff } = await reload(before, tabStorage);
    expect(bodies(chat)).toEqual(["Hello", "under way"]);
    expect(bff.calls(MESSAGES).at(-1)?.body).toEqual({ clientMessageId: "key-3", body: "under way" });
    expect(waiting(chat)).toEqual(["in doubt: not_confirmed"]);
    expect(chat.conversation.log.value.pending[0]?.code).toBe("internal");
    expect(chat.composer.draft.value).toBe("half a thought");
    chat.outbox.retry("key-2");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "under way", "in doubt"]);
    chat.composer.draft.value = "";
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("an unconfirmed message with a wait of half a second is restored too", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    before.bff.script(MESSAGES, () => problem("internal", 0.5));
    before.chat.outbox.send("in doubt");
    await settle();
    expect(before.chat.conversation.log.value.pending[0]?.retryAfter).toBe(0.5);
    before.bff.cutStreams();
    const { chat } = await reload(before, tabStorage);
    expect(waiting(chat)).toEqual(["in doubt: not_confirmed"]);
  });

  it("an unconfirmed message that is only a file is restored with it, and Retry names the same file", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    const file: Attachment = { id: "att1", name: "letter.pdf", type: "application/pdf", size: 9 };
    before.bff.script(MESSAGES, () => problem("internal"));
    before.chat.outbox.send("", [file]);
    await settle();
    before.bff.cutStreams();
    const { chat, bff } = await reload(before, tabStorage);
    expect(chat.conversation.log.value.pending).toMatchObject([
      { status: "not_confirmed", body: "", attachments: [file] },
    ]);
    chat.outbox.retry("key-2");
    await settle();
    const [first, second] = bff.calls(MESSAGES).map(({ body }) => body);
    expect(second).toEqual(first);
    expect(second).toMatchObject({ attachments: ["att1"] });
  });

  it("a message that had arrived, although its answer was lost, is not sent again", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    before.bff.script(MESSAGES, async (request, signal) => {
      await before.bff.answer(request, signal);
      return new Promise<Response>(() => undefined);
    });
    before.chat.outbox.send("arrived");
    const left = createMapStorage();
    for (const [key, value] of tabStorage.map) left.setItem(key, value);
    await settle();
    const { chat, bff } = await reload(before, left);
    expect(bodies(chat)).toEqual(["Hello", "arrived"]);
    expect(waiting(chat)).toEqual([]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });

  it("earlier messages are sent before those written while the session starts", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    await before.cut();
    before.chat.outbox.send("first");
    await settle();
    const after = startChat(before.bff, before.storage, { tabStorage, randomId: () => "key-after" });
    after.chat.open();
    after.chat.outbox.send("second");
    expect(tabStorage.map.get(KEPT)).toContain("first");
    await settle();
    expect(bodies(after.chat)).toEqual(["Hello", "first", "second"]);
  });

  for (const [what, given] of Object.entries({
    "no JSON": "{",
    null: "null",
    "another shape": '{"pending":7}',
    "a foreign key":
      '{"era":"","owner":"","draft":"","pending":[{"clientMessageId":"../x","body":"a","status":"sending"}]}',
    "a message called sent":
      '{"era":"","owner":"","draft":"","pending":[{"clientMessageId":"k","body":"a","status":"sent"}]}',
    "a request with an unknown code":
      '{"era":"","owner":"","draft":"","pending":[],"request":{"place":" ","code":"done"}}',
    "another logout's": '{"era":"before","owner":"","draft":"secret","pending":[]}',
    "another customer's": '{"era":"","owner":"ann","draft":"secret","pending":[]}',
  })) {
    it(`${what} in storage is ignored`, async () => {
      const tabStorage = createMapStorage();
      tabStorage.setItem(KEPT, given);
      const { chat, bff } = startChat(undefined, undefined, { tabStorage });
      chat.open();
      await settle();
      expect([chat.composer.draft.value, chat.conversation.log.value.pending]).toEqual(["", []]);
      expect(chat.conversation.handoffRequest.value.kind).toBe("idle");
      expect(bff.received.map(({ path }) => path)).toEqual(["/api/session"]);
      chat.outbox.send("mine");
      await settle();
      expect(tabStorage.map.has(KEPT)).toBe(false);
    });
  }

  it("if the browser stores nothing, the panel says what a reload would lose while something waits", async () => {
    const tabStorage = {
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    const { chat, cut, mend } = await startNetwork({ tabStorage });
    expect(chat.outbox.isAtRisk.value).toBe(false);
    await cut();
    chat.outbox.send("one");
    await settle();
    expect(chat.outbox.isAtRisk.value).toBe(true);
    await mend();
    expect(bodies(chat)).toEqual(["Hello", "one"]);
    expect(chat.outbox.isAtRisk.value).toBe(false);
  });

  describe("a storage that is full", () => {
    /** Accepts this many characters, and leaves the old value if there are more, like a browser's. */
    const createFull = () => {
      const tabStorage = createMapStorage();
      const room = { left: 500 };
      const { setItem } = tabStorage;
      tabStorage.setItem = (key, value) => {
        if (value.length > room.left) throw new DOMException("full", "QuotaExceededError");
        setItem(key, value);
      };
      return { ...tabStorage, room };
    };

    it("stores the messages if only the draft is too long, so that a reload loses none", async () => {
      const tabStorage = createFull();
      const before = await startNetwork({ tabStorage });
      await before.cut();
      before.chat.composer.draft.value = "x".repeat(500);
      before.chat.outbox.send("one");
      await settle();
      expect(before.chat.outbox.isAtRisk.value).toBe(false);
      const { chat } = await reload(before, tabStorage);
      expect([bodies(chat), chat.composer.draft.value]).toEqual([["Hello", "one"], ""]);
    });

    it("stores the messages if only the summary is too long", async () => {
      const before = await startNetwork({ tabStorage: createFull() });
      await before.cut();
      const text = "x".repeat(500);
      before.chat.composer.summary.value = { handoffId: "h", text, isOpen: true, isGenerated: false };
      before.chat.outbox.send("one");
      await settle();
      expect(before.chat.outbox.isAtRisk.value).toBe(false);
    });

    it("stores nothing outdated: a discarded message is not sent after a reload", async () => {
      const tabStorage = createFull();
      const before = await startNetwork({ tabStorage });
      await before.cut();
      before.chat.outbox.send("regretted");
      before.chat.outbox.send("another");
      await settle();
      expect(tabStorage.map.get(KEPT)).toContain("regretted");
      tabStorage.room.left = 0;
      before.chat.outbox.discard(before.chat.conversation.log.value.pending[0]?.clientMessageId ?? "");
      expect(before.chat.outbox.isAtRisk.value).toBe(true);
      expect(tabStorage.map.has(KEPT)).toBe(false);
      const { chat } = await reload(before, tabStorage);
      expect(bodies(chat)).toEqual(["Hello"]);
    });
  });

  it("a hundred and one messages, which joined a customer's from several pages, are all restored", async () => {
    const tabStorage = createMapStorage();
    const pending = Array.from({ length: 101 }, (_, at) => ({
      clientMessageId: `k${at}`,
      body: "a",
      status: "not_confirmed",
    }));
    tabStorage.setItem(KEPT, JSON.stringify({ era: "", owner: "", draft: "", pending }));
    const { chat } = startChat(undefined, undefined, { tabStorage });
    chat.open();
    await settle();
    expect(waiting(chat)).toHaveLength(101);
  });

  it("one page's unreadable texts do not lose another page's", async () => {
    const tabStorage = createMapStorage();
    const mine = (draft: string) => ({ era: "", owner: "", draft, pending: [] });
    const all = [
      mine("first"),
      { ...mine("bad"), pending: 7 },
      JSON.parse('{"__proto__":{"draft":"worse"}}'),
    ];
    tabStorage.setItem(KEPT, JSON.stringify([...all, mine("second")]));
    const { chat } = startChat(undefined, undefined, { tabStorage });
    chat.open();
    await settle();
    expect(chat.composer.draft.value).toBe("first\nsecond");
  });

  it("a working storage causes no warning (control)", async () => {
    const { chat, cut } = await startNetwork({ tabStorage: createMapStorage() });
    await cut();
    chat.outbox.send("one");
    await settle();
    expect(chat.outbox.isAtRisk.value).toBe(false);
  });
});

describe("OUT3 unsent texts are restored only for their owner", () => {
  const leaveDraft = async () => {
    const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    const ann = await visitOf("ann", { bff, storage, tabStorage });
    ann.chat.composer.draft.value = "words of ann";
    expect(tabStorage.map.get(KEPT)).toContain("words of ann");
    return { bff, storage, tabStorage, ann };
  };

  it("the same customer gets them back after a reload, but not before the site has said who is there", async () => {
    const { ann, ...kept } = await leaveDraft();
    ann.chat.pause();
    const again = startVisit(kept);
    again.identify("ann");
    again.chat.open();
    expect(again.chat.composer.draft.value).toBe("");
    await settle();
    expect(again.chat.composer.draft.value).toBe("words of ann");
  });

  it("the same customer gets all messages back after a reload, also more than may wait at once", async () => {
    let ids = 0;
    const randomId = () => `key-${++ids}`;
    const tab = {
      bff: createIdentityBff(),
      storage: createMapStorage(),
      tabStorage: createMapStorage(),
      randomId,
    };
    const writeMany = async ({ chat, bff }: ReturnType<typeof startVisit>) => {
      for (const call of ["POST /api/conversation", MESSAGES]) bff.script(call, () => problem("internal"));
      for (let count = 0; count < 15; count += 1) chat.outbox.send("in doubt");
      await settle();
    };
    const ann = await visitOf("ann", tab);
    await writeMany(ann);
    ann.chat.pause();
    const visitor = startVisit(tab);
    visitor.identify(null);
    visitor.chat.open();
    await settle();
    await writeMany(visitor);
    visitor.identify("ann");
    await settle();
    expect(waiting(visitor.chat)).toHaveLength(30);
    visitor.chat.pause();
    expect(waiting((await visitOf("ann", tab)).chat)).toHaveLength(30);
  });

  it("another customer does not, and nothing of them stays", async () => {
    const { ann, ...kept } = await leaveDraft();
    ann.chat.pause();
    const bob = await visitOf("bob", kept);
    expect(bob.chat.composer.draft.value).toBe("");
    expect(kept.tabStorage.map.get(KEPT)).toBeUndefined();
  });

  it("a visitor's unconfirmed request for a person is not made again for the customer whom a sign-in made of them", async () => {
    const HANDOFF = "POST /api/conversation/handoff";
    const tab = { bff: createIdentityBff(), storage: createMapStorage(), tabStorage: createMapStorage() };
    tab.bff.words.set("anon_0", ["words to a visitor"]);
    const visitor = startVisit(tab);
    visitor.identify(null);
    visitor.chat.open();
    await settle();
    tab.bff.script(HANDOFF, () => problem("not_confirmed"));
    await visitor.chat.conversation.requestHuman();
    // The page is reloaded before the customer's session answers.
    tab.bff.holdSession(new Promise(() => undefined));
    visitor.identify("ann");
    await settle();
    visitor.chat.pause();
    expect(tab.tabStorage.map.get(KEPT)).toMatch(/"owner":"ann".*"by":"anon_0"/);
    const ann = startVisit(tab);
    ann.identify("ann");
    ann.chat.open();
    await settle();
    expect([ann.who(), ann.shown()]).toEqual(["ann", "words to a visitor"]);
    expect(ann.chat.conversation.handoffRequest.value.kind).toBe("failed");
    expect(tab.bff.calls(HANDOFF)).toHaveLength(1);
  });

  it.each(["unconfirmed", "for after the next message"])(
    "a request for a person that is %s has the page's reason after a reload too",
    async (what) => {
      const HANDOFF = "POST /api/conversation/handoff";
      const { ann, ...kept } = await leaveDraft();
      if (what === "unconfirmed") kept.bff.script(HANDOFF, () => problem("internal"));
      else kept.bff.end();
      await settle();
      await ann.chat.conversation.requestHuman("refund");
      ann.chat.pause();
      const { chat } = await visitOf("ann", kept);
      // The other is asked at once, because its conversation is open again.
      if (what === "unconfirmed") await chat.conversation.requestHuman();
      await settle();
      expect(kept.bff.calls(HANDOFF).at(-1)?.body).toEqual({ reason: "refund" });
      expect([...kept.tabStorage.map.values()].join()).not.toContain("refund");
    },
  );

  it.each(["a logout", "an erasure"])("the page's reason for a person is gone after %s", async (what) => {
    const { ann, bff, tabStorage } = await leaveDraft();
    bff.script("POST /api/conversation/handoff", () => problem("internal"));
    await ann.chat.conversation.requestHuman("refund");
    expect(tabStorage.map.get(KEPT)).toContain("refund");
    if (what === "a logout") void ann.chat.identity.logout();
    else ann.chat.conversation.commit(applyErased(ann.chat.conversation.log.value, "of-ann"));
    await settle();
    expect([...tabStorage.map.values()].join()).not.toContain("refund");
  });

  it("the wish for a person is not restored for another customer", async () => {
    const { ann, ...kept } = await leaveDraft();
    kept.bff.end();
    await settle();
    await ann.chat.conversation.requestHuman();
    expect(kept.tabStorage.map.get(KEPT)).toContain('"request"');
    ann.chat.pause();
    const bob = await visitOf("bob", kept);
    expect(bob.chat.conversation.handoffRequest.value.kind).toBe("idle");
    expect(kept.tabStorage.map.get(KEPT)).toBeUndefined();
  });

  it("a logout removes them at once", async () => {
    const { ann, tabStorage } = await leaveDraft();
    void ann.chat.identity.logout();
    expect(tabStorage.map.has(KEPT)).toBe(false);
    await settle();
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("so does a switch of customers", async () => {
    const { ann, tabStorage } = await leaveDraft();
    ann.identify("bob");
    await settle();
    expect(ann.chat.composer.draft.value).toBe("");
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });
});
