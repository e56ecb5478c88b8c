// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { waiting } from "./testing/start-network.ts";
import { KEPT, startVain, type Visit, writeAs } from "./testing/start-vain.ts";

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
