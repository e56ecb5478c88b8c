// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { problem } from "./testing/scripted-bff.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { fail, waiting } from "./testing/start-network.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const KEPT = "parley.kept";

type Visit = ReturnType<typeof startVisit>;

/** One tab, page after page, in which support is down until `mend`. `before` says who is there. */
function startVain(answer: () => Promise<Response> | Response = fail) {
  let ids = 0;
  const visit = {
    bff: createIdentityBff(),
    storage: createMapStorage(),
    tabStorage: createMapStorage(),
    // Like real ones: new on each page.
    randomId: () => `vain-${++ids}`,
  };
  const reach = visit.bff.fetch;
  const network = { isThere: false };
  visit.bff.fetch = async (path, init) => (network.isThere ? reach(path, init) : answer());
  const open = async (before: (page: Visit) => void = () => undefined) => {
    const page = startVisit(visit);
    before(page);
    page.chat.open();
    await settle();
    return page;
  };
  const reconnect = () => {
    network.isThere = true;
  };
  const mend = async ({ chat }: Visit) => {
    reconnect();
    chat.wake();
    await settle();
  };
  const sent = () =>
    visit.bff.received.filter(({ body }) => body?.clientMessageId).map(({ body }) => body.body);
  return { ...visit, open, reconnect, mend, sent };
}

/** A tab in which nobody ever had a session: messages wait, and support is down. */
async function writeInVain(answer?: () => Response) {
  const vain = startVain(answer);
  const first = await vain.open();
  first.chat.outbox.send("in doubt");
  await first.time.advance(60_000);
  first.chat.outbox.send("under way");
  await settle();
  first.chat.pause();
  return vain;
}

describe("OUT2 support is down from the start, then a reload", () => {
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
        answer ? "under way: not_confirmed" : "under way: queued",
      ]);
      expect(again.chat.outbox.hiddenCount.value).toBe(0);
      await again.time.advance(5_000);
      expect(waiting(again.chat)).toHaveLength(2);
      for (const { clientMessageId } of again.chat.conversation.log.value.pending)
        again.chat.outbox.retry(clientMessageId);
      await mend(again);
      await again.time.advance(60_000);
      for (const { clientMessageId } of again.chat.conversation.log.value.pending)
        again.chat.outbox.retry(clientMessageId);
      await settle();
      expect(new Set(sent())).toEqual(new Set(["in doubt", "under way"]));
      expect(sent()).toHaveLength(2);
      expect(waiting(again.chat)).toEqual([]);
    },
  );

  it("an unconfirmed message is not sent automatically, and a second reload shows it again", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    (await open()).chat.pause();
    expect(tabStorage.map.get(KEPT)?.match(/in doubt|under way/g)).toEqual(["in doubt", "under way"]);
    const third = await open();
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed", "under way: queued"]);
    await mend(third);
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed"]);
    expect(sent()).toEqual(["under way"]);
  });

  it("OUT3 if the site names somebody, it is counted and not shown, and never becomes theirs", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    const ann = await open((visit) => visit.identify("ann"));
    expect([waiting(ann.chat), ann.chat.outbox.hiddenCount.value]).toEqual([[], 2]);
    await mend(ann);
    expect(ann.who()).toBe("ann");
    expect([waiting(ann.chat), ann.chat.outbox.hiddenCount.value, sent()]).toEqual([[], 0, []]);
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("OUT3 if somebody is named after it was shown, it is hidden, except what was edited again", async () => {
    const { open, mend, sent } = await writeInVain();
    const again = await open();
    again.chat.outbox.retry(again.chat.conversation.log.value.pending[0]?.clientMessageId ?? "");
    again.identify("ann");
    expect(waiting(again.chat).map((one) => one.split(":")[0])).toEqual(["in doubt"]);
    expect(again.chat.outbox.hiddenCount.value).toBe(1);
    await mend(again);
    expect(sent()).not.toContain("under way");
    expect(again.chat.outbox.hiddenCount.value).toBe(0);
  });

  it("OUT3 if the site says that nobody is signed in it is shown, and hidden as soon as somebody is named", async () => {
    const { open, mend, sent } = await writeInVain();
    const again = await open((visit) => visit.identify(null));
    expect(waiting(again.chat)).toHaveLength(2);
    again.page.who = "ann";
    again.chat.wake();
    await settle();
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([[], 2]);
    await mend(again);
    expect([again.who(), sent(), again.chat.outbox.hiddenCount.value]).toEqual(["ann", [], 0]);
  });

  it("OUT3 if somebody is named after a shown message became unconfirmed again, it is still hidden", async () => {
    const { open } = await writeInVain();
    const again = await open();
    again.chat.outbox.send("new");
    await again.time.advance(60_000);
    expect(waiting(again.chat)).toEqual([
      "in doubt: not_confirmed",
      "under way: not_confirmed",
      "new: not_confirmed",
    ]);
    again.identify("ann");
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([["new: not_confirmed"], 2]);
  });

  it("OUT3 messages left by a named customer are only counted, and count towards the limit of twenty", async () => {
    const visit = { bff: createIdentityBff(), storage: createMapStorage(), tabStorage: createMapStorage() };
    const ann = await visitOf("ann", visit);
    visit.bff.fetch = fail;
    const pending = [{ clientMessageId: "of-ann", body: "words of ann", status: "queued" }];
    ann.chat.pause();
    visit.tabStorage.setItem(KEPT, JSON.stringify({ era: "", owner: "ann", draft: "", pending }));
    const again = startVisit(visit);
    again.identify("bob");
    again.chat.open();
    await settle();
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([[], 1]);
    for (let at = 1; at <= 19; at += 1) expect(again.chat.outbox.send(`${at}`)).toBe("sending");
    expect(again.chat.outbox.send("21")).toBe("full");
  });
});

/** A page of `who`, who writes this in vain plus an unfinished draft, and leaves. */
async function writeAs(vain: ReturnType<typeof startVain>, who: string, words: string): Promise<void> {
  const page = await vain.open((visit) => visit.identify(who));
  page.chat.outbox.send(words);
  page.chat.composer.draft.value = `half a thought of ${who}`;
  await settle();
  page.chat.pause();
}

/** Everything that a page showed at any time, and what it sent. */
function watch({ chat }: Visit): string[] {
  const seen: string[] = [];
  const look = () => seen.push(...waiting(chat), chat.composer.draft.value);
  chat.subscribe(look);
  chat.composer.draft.subscribe(look);
  return seen;
}

describe("OUT3 a customer named only by the site, while support was down from the start", () => {
  it("the same customer finds message and draft after a reload, but only once the session confirms who is there", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const ann = await vain.open((visit) => visit.identify("ann"));
    expect([waiting(ann.chat), ann.chat.composer.draft.value, ann.chat.outbox.hiddenCount.value]).toEqual([
      [],
      "",
      1,
    ]);
    await ann.time.advance(30_000);
    expect([waiting(ann.chat), ann.chat.composer.draft.value]).toEqual([[], ""]);
    await vain.mend(ann);
    expect([ann.who(), vain.sent()]).toEqual(["ann", ["words of ann"]]);
    expect([waiting(ann.chat), ann.chat.composer.draft.value]).toEqual([[], "half a thought of ann"]);
    ann.chat.composer.draft.value = "";
    expect(vain.tabStorage.map.has(KEPT)).toBe(false);
  });

  it.each([
    ["another", (visit: Visit) => visit.identify("bob")],
    ["somebody whom the site does not know", (visit: Visit) => visit.identify(null)],
    ["a visitor of a page that vouches for nobody", () => undefined],
    ["somebody of whom the site says nothing", (visit: Visit) => visit.identify(undefined)],
  ])(
    "%s never sees any of it and sends none, while support is down and afterwards",
    async (_name, before) => {
      const vain = startVain();
      await writeAs(vain, "ann", "words of ann");
      let seen: string[] = [];
      const other = await vain.open((visit) => {
        seen = watch(visit);
        before(visit);
      });
      await other.time.advance(30_000);
      await vain.mend(other);
      if (other.who() === "failed") other.chat.identity.stayAnonymous();
      await settle();
      expect(other.who()).toMatch(/^(bob|anon_\d)$/);
      expect([seen.join(), vain.sent()]).toEqual([expect.not.stringContaining("ann"), []]);
      expect(vain.tabStorage.map.has(KEPT)).toBe(false);
    },
  );

  it.each([
    ["after the panel had started a visitor's session", () => undefined],
    ["after it had said that nobody is signed in", (visit: Visit) => visit.identify(null)],
    [
      "while a visitor's session was starting",
      (visit: Visit) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        visit.bff.holdSession(promise);
        visit.chat.open();
        visit.identify("ann");
        resolve();
      },
    ],
  ])("the customer gets everything back where the site names them only %s", async (_name, before) => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    vain.reconnect();
    const ann = await vain.open(before);
    ann.identify("ann");
    await settle();
    expect([ann.who(), vain.sent(), ann.chat.composer.draft.value]).toEqual([
      "ann",
      ["words of ann"],
      "half a thought of ann",
    ]);
  });

  it("a visitor whom the site may still identify learns nothing of a customer's texts", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    vain.reconnect();
    const visitor = await vain.open();
    visitor.chat.composer.draft.value = "a visitor's";
    expect(visitor.who()).toMatch(/^anon_\d$/);
    expect([waiting(visitor.chat), visitor.chat.outbox.hiddenCount.value, vain.sent()]).toEqual([[], 0, []]);
    expect(vain.tabStorage.map.get(KEPT)).not.toContain("ann");
  });

  it("nothing of a customer stays once the site names another after a visitor's session", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    vain.reconnect();
    const bob = await vain.open();
    const seen = watch(bob);
    bob.identify("bob");
    await settle();
    bob.identify("ann");
    await settle();
    expect([bob.who(), seen.join(), vain.sent(), vain.tabStorage.map.has(KEPT)]).toEqual([
      "ann",
      "",
      [],
      false,
    ]);
  });

  it("two customers in turn each have their own texts, and never the other's", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    await writeAs(vain, "bob", "words of bob");
    await writeAs(vain, "ann", "more of ann");
    let seen: string[] = [];
    const ann = await vain.open((visit) => {
      seen = watch(visit);
      visit.identify("ann");
    });
    expect(ann.chat.outbox.hiddenCount.value).toBe(3);
    await vain.mend(ann);
    expect(vain.sent()).toEqual(["words of ann", "more of ann"]);
    expect(ann.chat.composer.draft.value).toBe("half a thought of ann\nhalf a thought of ann");
    expect(seen.join()).not.toContain("bob");
  });

  it("a customer who replaces another on the same page never sees the other's texts, and both get their own back", async () => {
    const vain = startVain();
    const page = await vain.open((visit) => visit.identify("ann"));
    page.chat.outbox.send("words of ann");
    page.chat.composer.draft.value = "half a thought of ann";
    await settle();
    page.page.who = "bob";
    page.chat.wake();
    await settle();
    expect([waiting(page.chat), page.chat.composer.draft.value, page.chat.outbox.hiddenCount.value]).toEqual([
      [],
      "",
      1,
    ]);
    const seen = watch(page);
    page.chat.outbox.send("words of bob");
    await settle();
    const left = new Map(vain.tabStorage.map);
    await vain.mend(page);
    expect([page.who(), vain.sent(), seen.join()]).toEqual([
      "bob",
      ["words of bob"],
      expect.not.stringContaining("ann"),
    ]);
    // As if the page had been reloaded instead, with the first customer still there.
    vain.tabStorage.map.clear();
    for (const [key, value] of left) vain.tabStorage.setItem(key, value);
    const ann = await vain.open((visit) => visit.identify("ann"));
    expect([ann.who(), vain.sent(), ann.chat.composer.draft.value]).toEqual([
      "ann",
      ["words of bob", "words of ann"],
      "half a thought of ann",
    ]);
  });

  it("a message in flight for the first when the site names the next is not sent", async () => {
    const vain = startVain();
    const page = await vain.open((visit) => visit.identify("ann"));
    page.chat.outbox.send("words of ann");
    await settle();
    page.page.who = "bob";
    await vain.mend(page);
    expect([page.who(), vain.sent()]).toEqual(["bob", []]);
  });

  it.each(["jürgen", "李雷", "a😀b", "a?>~ÿ"])(
    "%s finds what was written too: an id is any text",
    async (name) => {
      const vain = startVain();
      await writeAs(vain, name, "words");
      const again = await vain.open((visit) => visit.identify(name));
      await vain.mend(again);
      expect([again.who(), vain.sent(), again.chat.composer.draft.value]).toEqual([
        name,
        ["words"],
        `half a thought of ${name}`,
      ]);
    },
  );

  it.each([
    ["longer than any id", "x".repeat(300)],
    ["empty", ""],
  ])(
    "a site's word that nobody can be, %s, takes nothing from anybody, and what is written by it comes back for nobody",
    async (_name, sub) => {
      const vain = startVain();
      await writeAs(vain, "ann", "words of ann");
      await writeAs(vain, sub, "words of whom?");
      const visitor = await vain.open();
      expect([waiting(visitor.chat), visitor.chat.composer.draft.value]).toEqual([[], ""]);
      visitor.chat.pause();
      const ann = await vain.open((visit) => visit.identify("ann"));
      await vain.mend(ann);
      expect([vain.sent(), ann.chat.composer.draft.value]).toEqual([
        ["words of ann"],
        "half a thought of ann",
      ]);
    },
  );

  it("a logout removes all of it", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const page = await vain.open((visit) => visit.identify("ann"));
    void page.chat.identity.logout();
    expect(vain.tabStorage.map.has(KEPT)).toBe(false);
    const ann = await vain.open((visit) => visit.identify("ann"));
    await vain.mend(ann);
    expect([vain.sent(), ann.chat.composer.draft.value]).toEqual([[], ""]);
  });

  it("if the site names nobody, nothing is stored, and the panel warns that a reload loses it", async () => {
    const vain = startVain();
    const page = await vain.open((visit) => visit.identify(undefined));
    page.chat.outbox.send("whose words?");
    await settle();
    expect(page.chat.outbox.isAtRisk.value).toBe(true);
    expect(vain.tabStorage.map.has(KEPT)).toBe(false);
    page.page.who = "ann";
    page.chat.wake();
    await settle();
    expect(page.chat.outbox.isAtRisk.value).toBe(false);
    expect(vain.tabStorage.map.get(KEPT)).toContain("whose words?");
  });
});

describe("OUT2 a draft", () => {
  const leaveHalf = async (vain: ReturnType<typeof startVain>) => {
    const page = await vain.open();
    page.chat.composer.draft.value = "half a thought";
    page.chat.pause();
  };

  it.each([
    ["nobody is named", () => undefined],
    ["the site says that nobody is signed in", (visit: Visit) => visit.identify(null)],
  ])("of a visitor is in the box while support is down, if %s", async (_name, before) => {
    const vain = startVain();
    await leaveHalf(vain);
    const again = await vain.open(before);
    expect(again.chat.composer.draft.value).toBe("half a thought");
    await again.time.advance(60_000);
    await vain.mend(again);
    expect(again.chat.composer.draft.value).toBe("half a thought");
  });

  it("OUT3 is removed from the box when the site names somebody", async () => {
    const vain = startVain();
    await leaveHalf(vain);
    const again = await vain.open();
    again.identify("ann");
    expect(again.chat.composer.draft.value).toBe("");
    await vain.mend(again);
    expect([again.who(), again.chat.composer.draft.value]).toEqual(["ann", ""]);
  });

  it("that is restored comes before what was written meanwhile", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const ann = await vain.open((visit) => visit.identify("ann"));
    ann.chat.composer.draft.value = "and another";
    await vain.mend(ann);
    expect(ann.chat.composer.draft.value).toBe("half a thought of ann\nand another");
  });

  it("from the page does not count: the customer's own replaces it", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const ann = await vain.open((visit) => visit.identify("ann"));
    ann.chat.composer.suggest("Where is order 17?");
    await vain.mend(ann);
    expect(ann.chat.composer.draft.value).toBe("half a thought of ann");
  });
});
