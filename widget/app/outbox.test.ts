// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Chat } from "./chat.ts";
import { settle } from "./testing/manual-time.ts";
import { createScriptedBff, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation } from "./testing/start-chat.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const MESSAGES = "POST /api/conversation/messages";
const KEPT = "parley.kept";

const bodies = (chat: Chat) => chat.log.value.messages.map(({ body }) => body);
const waiting = (chat: Chat) => chat.log.value.pending.map(({ body, status }) => `${body}: ${status}`);
const fail = () => Promise.reject(new TypeError("Failed to fetch"));
const times = (many: number) => Array.from({ length: many }, () => fail);

/** A panel whose network can be pulled out. */
async function startNetwork(more: Parameters<typeof startChat>[2] = {}) {
  const bff = createScriptedBff();
  const network = { isThere: true };
  const fetch: typeof bff.fetch = (path, init) => (network.isThere ? bff.fetch(path, init) : fail());
  const started = startChat(bff, createMapStorage(), { fetch, isOnline: () => network.isThere, ...more });
  started.chat.open();
  started.chat.send("Hello");
  await settle();
  const cut = async () => {
    network.isThere = false;
    started.chat.goOffline();
    await settle();
  };
  const mend = async () => {
    network.isThere = true;
    started.chat.wake();
    await settle();
  };
  return { ...started, network, cut, mend };
}

describe("OUT1 R62 while nothing answers", () => {
  it("without a network messages are kept, however long, and go out once each and in order when it is back", async () => {
    const { bff, chat, time, happenings, cut, mend } = await startNetwork();
    await cut();
    for (const text of ["one", "two", "three"]) chat.send(text);
    await settle();
    expect(waiting(chat)).toEqual(["one: kept", "two: kept", "three: kept"]);
    expect(chat.connection.value).toBe("offline");
    expect(chat.kept.value).toBe(3);
    await time.advance(3_600_000);
    expect(waiting(chat)).toEqual(["one: kept", "two: kept", "three: kept"]);
    expect(happenings.map(({ type }) => type)).not.toContain("message.not_confirmed");
    await mend();
    expect(bodies(chat)).toEqual(["Hello", "one", "two", "three"]);
    expect(bff.calls(MESSAGES)).toHaveLength(3);
    expect(chat.connection.value).not.toBe("offline");
  });

  it("a network that comes back unsaid is found all the same", async () => {
    const { chat, time, network, cut } = await startNetwork();
    await cut();
    chat.send("one");
    await settle();
    network.isThere = true;
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "one"]);
  });

  it("a short silence costs no Retry: the same key goes again, and stands once", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, ...times(2));
    chat.send("one");
    chat.send("two");
    await settle();
    expect(waiting(chat)).toEqual(["one: kept", "two: kept"]);
    expect(chat.connection.value).toBe("live");
    await time.advance(5_000);
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
    const keys = bff.calls(MESSAGES).map(({ body }) => body.clientMessageId);
    expect(keys).toEqual(["key-2", "key-2", "key-2", "key-3"]);
  });

  it("a long one is a doubt with Retry, for all that wait, in order", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, ...times(4));
    chat.send("one");
    chat.send("two");
    await time.advance(60_000);
    expect(bff.calls(MESSAGES)).toHaveLength(4);
    expect(waiting(chat)).toEqual(["one: not_confirmed", "two: not_confirmed"]);
    for (const { clientMessageId } of chat.log.value.pending) chat.retry(clientMessageId);
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
  });

  it("an answer that confirms nothing is a doubt at once, and is not asked for again (control)", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, () => problem("support_unreachable"));
    chat.send("one");
    await time.advance(60_000);
    expect(waiting(chat)).toEqual(["one: not_confirmed"]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });

  it("whoever does not want to wait need not", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, fail);
    chat.send("one");
    await settle();
    chat.retry("key-2");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "one"]);
  });

  it("the 21st is not taken, and changes nothing", async () => {
    const { chat, cut } = await startNetwork();
    await cut();
    for (let at = 1; at <= 20; at += 1) expect(chat.send(`${at}`)).toBe("sending");
    expect(chat.isFull.value).toBe(true);
    expect(chat.send("21")).toBe("full");
    expect(chat.log.value.pending).toHaveLength(20);
  });
});

describe("OUT2 R62 over a reload", () => {
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

  it("what was under way goes again by its key, what was not confirmed stands so, and the draft is there", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    before.bff.script(MESSAGES, () => problem("internal"));
    before.chat.send("in doubt");
    await settle();
    before.network.isThere = false;
    before.chat.send("under way");
    before.chat.draft.value = "half a thought";
    await settle();
    before.bff.cutStreams();
    const { chat, bff } = await reload(before, tabStorage);
    expect(bodies(chat)).toEqual(["Hello", "under way"]);
    expect(bff.calls(MESSAGES).at(-1)?.body).toEqual({ clientMessageId: "key-3", body: "under way" });
    expect(waiting(chat)).toEqual(["in doubt: not_confirmed"]);
    expect(chat.log.value.pending[0]?.code).toBe("internal");
    expect(chat.draft.value).toBe("half a thought");
    chat.retry("key-2");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "under way", "in doubt"]);
    chat.draft.value = "";
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("what had arrived, though its answer was lost, is not sent again", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    before.bff.script(MESSAGES, async (request, signal) => {
      await before.bff.answer(request, signal);
      return new Promise<Response>(() => undefined);
    });
    before.chat.send("arrived");
    const left = createMapStorage();
    for (const [key, value] of tabStorage.map) left.setItem(key, value);
    await settle();
    const { chat, bff } = await reload(before, left);
    expect(bodies(chat)).toEqual(["Hello", "arrived"]);
    expect(waiting(chat)).toEqual([]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });

  it("what was written before goes before what is written while the session is asked for", async () => {
    const tabStorage = createMapStorage();
    const before = await startNetwork({ tabStorage });
    await before.cut();
    before.chat.send("first");
    await settle();
    const after = startChat(before.bff, before.storage, { tabStorage, randomId: () => "key-after" });
    after.chat.open();
    after.chat.send("second");
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
    "too many": JSON.stringify({
      era: "",
      owner: "",
      draft: "",
      pending: Array.from({ length: 21 }, (_, at) => ({
        clientMessageId: `k${at}`,
        body: "a",
        status: "sending",
      })),
    }),
    "another logout's": '{"era":"before","owner":"","draft":"secret","pending":[]}',
    "another customer's": '{"era":"","owner":"ann","draft":"secret","pending":[]}',
  })) {
    it(`R37 ${what} in storage is nothing`, async () => {
      const tabStorage = createMapStorage();
      tabStorage.setItem(KEPT, given);
      const { chat, bff } = startChat(undefined, undefined, { tabStorage });
      chat.open();
      await settle();
      expect([chat.draft.value, chat.log.value.pending]).toEqual(["", []]);
      expect(bff.received.map(({ path }) => path)).toEqual(["/api/session"]);
      chat.send("mine");
      await settle();
      expect(tabStorage.map.has(KEPT)).toBe(false);
    });
  }

  it("where the browser keeps nothing it is said what a reload would lose, while something waits", async () => {
    const tabStorage = {
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    const { chat, cut, mend } = await startNetwork({ tabStorage });
    expect(chat.isAtRisk.value).toBe(false);
    await cut();
    chat.send("one");
    await settle();
    expect(chat.isAtRisk.value).toBe(true);
    await mend();
    expect(bodies(chat)).toEqual(["Hello", "one"]);
    expect(chat.isAtRisk.value).toBe(false);
  });

  it("a storage that keeps is no reason to say anything (control)", async () => {
    const { chat, cut } = await startNetwork({ tabStorage: createMapStorage() });
    await cut();
    chat.send("one");
    await settle();
    expect(chat.isAtRisk.value).toBe(false);
  });
});

describe("OUT3 R27 what somebody left behind is theirs alone", () => {
  const leaveDraft = async () => {
    const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    const ann = await visitOf("ann", { bff, storage, tabStorage });
    ann.chat.draft.value = "words of ann";
    expect(tabStorage.map.get(KEPT)).toContain("words of ann");
    return { bff, storage, tabStorage, ann };
  };

  it("the same customer finds it after a reload, but not before the site has said who is there", async () => {
    const { ann, ...kept } = await leaveDraft();
    ann.chat.pause();
    const again = startVisit(kept);
    again.identify("ann");
    again.chat.open();
    expect(again.chat.draft.value).toBe("");
    await settle();
    expect(again.chat.draft.value).toBe("words of ann");
  });

  it("another customer does not, and nothing of it stays", async () => {
    const { ann, ...kept } = await leaveDraft();
    ann.chat.pause();
    const bob = await visitOf("bob", kept);
    expect(bob.chat.draft.value).toBe("");
    expect(kept.tabStorage.map.get(KEPT)).toBeUndefined();
  });

  it("a logout takes it away at once", async () => {
    const { ann, tabStorage } = await leaveDraft();
    void ann.chat.logout();
    expect(tabStorage.map.has(KEPT)).toBe(false);
    await settle();
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("a switch does as well", async () => {
    const { ann, tabStorage } = await leaveDraft();
    ann.identify("bob");
    await settle();
    expect(ann.chat.draft.value).toBe("");
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });
});

describe("OUT2 R62 down from the first, then a reload", () => {
  /** A tab in which nobody ever had a session: what was written waits, and support is down. */
  const writeInVain = async (answer?: () => Response) => {
    const visit = { bff: createIdentityBff(), storage: createMapStorage(), tabStorage: createMapStorage() };
    const reach = visit.bff.fetch;
    const network = { isThere: false };
    visit.bff.fetch = (path, init) =>
      network.isThere ? reach(path, init) : answer ? Promise.resolve(answer()) : fail();
    const first = startVisit(visit);
    first.chat.open();
    first.chat.send("in doubt");
    await first.time.advance(60_000);
    first.chat.send("under way");
    await settle();
    first.chat.pause();
    const open = async (before: (again: ReturnType<typeof startVisit>) => void = () => undefined) => {
      const again = startVisit(visit);
      before(again);
      again.chat.open();
      await settle();
      return again;
    };
    const mend = async ({ chat }: ReturnType<typeof startVisit>) => {
      network.isThere = true;
      chat.wake();
      await settle();
    };
    const sent = () =>
      visit.bff.received.filter(({ body }) => body?.clientMessageId).map(({ body }) => body.body);
    return { ...visit, open, mend, sent };
  };

  it.each([
    ["nothing answers", undefined],
    ["the BFF answers that support is away", () => problem("support_unreachable")],
  ])(
    "%s: what is kept is to be seen as it stands, and goes out once when somebody answers",
    async (_name, answer) => {
      const { open, mend, sent } = await writeInVain(answer);
      const again = await open();
      expect(waiting(again.chat)).toEqual([
        "in doubt: not_confirmed",
        answer ? "under way: not_confirmed" : "under way: kept",
      ]);
      expect(again.chat.hidden()).toBe(0);
      await again.time.advance(5_000);
      expect(waiting(again.chat)).toHaveLength(2);
      for (const { clientMessageId } of again.chat.log.value.pending) again.chat.retry(clientMessageId);
      await mend(again);
      await again.time.advance(60_000);
      for (const { clientMessageId } of again.chat.log.value.pending) again.chat.retry(clientMessageId);
      await settle();
      expect(new Set(sent())).toEqual(new Set(["in doubt", "under way"]));
      expect(sent()).toHaveLength(2);
      expect(waiting(again.chat)).toEqual([]);
    },
  );

  it("what stands in doubt is not sent by itself, and a second reload shows it again", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    (await open()).chat.pause();
    expect(tabStorage.map.get(KEPT)?.match(/in doubt|under way/g)).toEqual(["in doubt", "under way"]);
    const third = await open();
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed", "under way: kept"]);
    await mend(third);
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed"]);
    expect(sent()).toEqual(["under way"]);
  });

  it("OUT3 R27 where the site names somebody, it is counted and not shown, and never theirs", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    const ann = await open((visit) => visit.identify("ann"));
    expect([waiting(ann.chat), ann.chat.hidden()]).toEqual([[], 2]);
    await mend(ann);
    expect(ann.who()).toBe("ann");
    expect([waiting(ann.chat), ann.chat.hidden(), sent()]).toEqual([[], 0, []]);
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("OUT3 R27 named only after it was shown: it is hidden at once, but for what was taken up again", async () => {
    const { open, mend, sent } = await writeInVain();
    const again = await open();
    again.chat.retry(again.chat.log.value.pending[0]?.clientMessageId ?? "");
    again.identify("ann");
    expect(waiting(again.chat).map((one) => one.split(":")[0])).toEqual(["in doubt"]);
    expect(again.chat.hidden()).toBe(1);
    await mend(again);
    expect(sent()).not.toContain("under way");
    expect(again.chat.hidden()).toBe(0);
  });

  it("OUT3 R27 what a named customer left behind is only counted, and with what is new there are twenty", async () => {
    const visit = { bff: createIdentityBff(), storage: createMapStorage(), tabStorage: createMapStorage() };
    const ann = await visitOf("ann", visit);
    visit.bff.fetch = fail;
    const pending = [{ clientMessageId: "of-ann", body: "words of ann", status: "kept" }];
    ann.chat.pause();
    visit.tabStorage.setItem(KEPT, JSON.stringify({ era: "", owner: "ann", draft: "", pending }));
    const again = startVisit(visit);
    again.identify("bob");
    again.chat.open();
    await settle();
    expect([waiting(again.chat), again.chat.hidden()]).toEqual([[], 1]);
    for (let at = 1; at <= 19; at += 1) expect(again.chat.send(`${at}`)).toBe("sending");
    expect(again.chat.send("21")).toBe("full");
  });
});

describe("LINE1 the line", () => {
  it("is taken up at once when something else was verifiably answered", async () => {
    const { bff, chat } = await startConversation();
    bff.cutStreams();
    await settle();
    expect(chat.connection.value).toBe("reconnecting");
    chat.send("is anybody there?");
    await settle();
    expect(bff.openStreams()).toBe(1);
  });

  it("R58 but not while the server asked to be left alone", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script("GET /api/conversation/events", () => problem("unavailable", 20));
    bff.cutStreams();
    await time.advance(1_000);
    chat.send("is anybody there?");
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
    await time.advance(10_000);
    expect(bff.openStreams()).toBe(1);
  });

  it("after a loss is called live when what was missed has come", async () => {
    const { bff, chat, time } = await startConversation();
    bff.cutStreams();
    await settle();
    await time.advance(500);
    expect(chat.connection.value).toBe("catching_up");
    bff.say("missed");
    await time.advance(200);
    expect(chat.connection.value).toBe("catching_up");
    await time.advance(300);
    expect(chat.connection.value).toBe("live");
  });

  it("is idle, connecting, live; offline where nothing answers", async () => {
    const { chat, bff, time } = startChat();
    expect(chat.connection.value).toBe("idle");
    let release = (): void => undefined;
    bff.script("POST /api/session", async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.open();
    expect(chat.connection.value).toBe("connecting");
    release();
    await settle();
    chat.send("Hello");
    await settle();
    expect(chat.connection.value).toBe("live");
    bff.script("GET /api/conversation/events", ...times(9));
    bff.cutStreams();
    await time.advance(2_000);
    expect(chat.connection.value).toBe("offline");
  });
});
