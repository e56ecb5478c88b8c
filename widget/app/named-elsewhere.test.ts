// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { createIdentityBff, createTabs, startVisit, visitOf } from "./testing/start-visit.ts";

/** One browser: its tabs share the storage and hear each other. */
function createBrowser() {
  const openTab = createTabs();
  const shared = { bff: createIdentityBff(), storage: createMapStorage() };
  shared.bff.words.set("bob", ["words of bob"]);
  return { ...shared, tab: () => ({ ...shared, tabs: openTab() }) };
}

describe("IDENT5 a tab that learns of another customer in another tab", () => {
  it("asks its site before it shows or sends anything, although the site forgot logout", async () => {
    const { bff, tab } = createBrowser();
    const ann = await visitOf("ann", tab());
    ann.chat.composer.draft.value = "half a thought of ann";
    // The site signed another customer in on a new page. The first tab's page notices only when it is asked.
    ann.page.who = "bob";
    const bob = await visitOf("bob", tab());
    expect(bob.who()).toBe("bob");
    expect([ann.page.asked, ann.who(), ann.shown(), ann.chat.composer.draft.value]).toEqual([
      2,
      "bob",
      "words of bob",
      "",
    ]);
    expect(bff.bearers.size).toBe(2);
  });

  it("covers the former customer while the site does not answer, and sends nothing in their name", async () => {
    const { bff, tab } = createBrowser();
    const ann = await visitOf("ann", tab());
    ann.page.isSilent = true;
    await visitOf("bob", tab());
    expect(ann.shown()).toBe("held");
    const before = bff.received.length;
    ann.chat.outbox.send("Anybody there?");
    await settle();
    expect(bff.received.slice(before)).toEqual([]);
    ann.page.isSilent = false;
    ann.page.who = "bob";
    await ann.time.advance(10_000);
    ann.chat.wake();
    await settle();
    expect(ann.who()).toBe("bob");
    expect(bff.received.filter(({ body }) => body?.body === "Anybody there?")).toEqual([]);
  });

  it("an anonymous visitor who signed in there becomes that customer here too", async () => {
    const { tab } = createBrowser();
    const visitor = startVisit(tab());
    visitor.identify(null);
    visitor.chat.open();
    await settle();
    expect(visitor.who()).toMatch(/^anon_/);
    visitor.page.who = "bob";
    await visitOf("bob", tab());
    expect([visitor.who(), visitor.shown()]).toEqual(["bob", "words of bob"]);
  });

  it("does not ask for the same customer (control)", async () => {
    const { tab } = createBrowser();
    const ann = await visitOf("ann", tab());
    await visitOf("ann", tab());
    expect([ann.page.asked, ann.shown()]).toEqual([1, "words of ann"]);
  });

  it("two tabs whose sites name two customers ask once each, not each other forever", async () => {
    const { tab } = createBrowser();
    const ann = await visitOf("ann", tab());
    const bob = await visitOf("bob", tab());
    await settle();
    expect([ann.page.asked, ann.who(), bob.page.asked, bob.who()]).toEqual([2, "ann", 1, "bob"]);
  });
});
