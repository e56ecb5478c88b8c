// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Environment, TabMessage } from "./environment.ts";
import { settle } from "./testing/manual-time.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { createIdentityBff, createTabs, startVisit, visitOf } from "./testing/start-visit.ts";

const REVOKE = "DELETE /api/session";

describe("IDENT7 logout", () => {
  it("clears, revokes, and is not followed by a new identified session", async () => {
    const { chat, shown, bff, page, tabStorage, who } = await visitOf("ann");
    const done = chat.identity.logout();
    expect([shown(), who()]).toEqual(["", "none"]);
    expect(await done).toBeUndefined();
    expect(bff.calls(REVOKE)).toHaveLength(1);
    expect(tabStorage.map.size).toBe(0);
    chat.open();
    await settle();
    expect(who()).toMatch(/^anon_/);
    expect(page.asked).toBe(1);
  });

  it("by the page's number counts as one, before and after the frame exists", async () => {
    const { chat, shown, bff } = await visitOf("ann");
    chat.identity.identify(-2);
    expect(shown()).toBe("");
    await settle();
    chat.identity.identify(-2);
    expect(bff.calls(REVOKE)).toHaveLength(1);
  });

  it("without a network clears at once, and revokes when the network is back", async () => {
    const { chat, shown, bff, time, tabStorage } = await visitOf("ann");
    bff.script(REVOKE, () => Promise.reject(new TypeError("Failed to fetch")));
    const done = chat.identity.logout();
    expect(shown()).toBe("");
    expect((await done)?.code).toBe("support_unreachable");
    expect(tabStorage.map.get("parley.revoke")).toMatch(/^bearer-1/);
    await time.advance(60_000);
    expect(bff.calls(REVOKE)).toHaveLength(2);
    expect(tabStorage.map.has("parley.revoke")).toBe(false);
  });

  it("that was not confirmed is completed by the next page view", async () => {
    const tabStorage = createMapStorage();
    tabStorage.setItem("parley.revoke", "left-over");
    const { chat, bff } = startVisit({ tabStorage });
    await settle();
    expect(bff.calls(REVOKE)).toEqual([]);
    chat.open();
    await settle();
    expect(bff.calls(REVOKE)[0]?.authorization).toBe("Bearer left-over");
    expect(tabStorage.map.has("parley.revoke")).toBe(false);
  });

  it("in one tab clears the others, each of which ends its own session", async () => {
    const open = createTabs();
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage, tabs: open() });
    void one.chat.identity.logout();
    expect(other.shown()).toBe("");
    await settle();
    const revoked = bff.calls(REVOKE).map(({ authorization }) => authorization?.slice(0, 15));
    expect(new Set(revoked)).toEqual(new Set(["Bearer bearer-1", "Bearer bearer-2"]));
  });

  it.each([
    ["has another customer", "bob", "bob"],
    ["has nobody", null, /^anon_/],
    ["can't say who is there", undefined, "failed"],
  ])("IDENT4 in one tab makes the others ask a site that %s", async (_, there, expected) => {
    const open = createTabs();
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage, tabs: open() });
    void one.chat.identity.logout();
    await settle();
    // A page that follows a conversation sends its settings again.
    other.chat.resume(true);
    await settle();
    expect([other.who(), other.page.asked]).toEqual(["none", 1]);
    other.page.who = there;
    other.chat.outbox.send("Anybody there?");
    await settle();
    expect([other.who(), other.page.asked]).toEqual([expect.stringMatching(expected), 2]);
  });

  it("in one tab does not end what the next visitor begins in another", async () => {
    const open = createTabs();
    const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage, tabStorage, tabs: open() });
    await one.chat.identity.logout();
    other.identify("bob");
    await settle();
    other.chat.composer.draft.value = "half a thought of bob";
    other.chat.wake();
    await settle();
    expect([other.who(), other.chat.composer.draft.value]).toEqual(["bob", "half a thought of bob"]);
    const reloaded = await visitOf("bob", { bff, storage, tabStorage, tabs: open() });
    expect(reloaded.chat.composer.draft.value).toBe("half a thought of bob");
  });

  it("in one tab ends nothing that began in another after it, when its message arrives late", async () => {
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const late: TabMessage[] = [];
    const post = (message: TabMessage) => void late.push(message);
    const one = await visitOf("ann", { bff, storage, tabs: { post, listen: () => undefined } });
    let hear: Parameters<Environment["tabs"]["listen"]>[0] = () => undefined;
    const listen = (next: typeof hear) => {
      hear = next;
    };
    const other = await visitOf("ann", { bff, storage, tabs: { post: () => undefined, listen } });
    await one.chat.identity.logout();
    other.chat.wake();
    other.identify("bob");
    await settle();
    for (const message of late) hear(message);
    await settle();
    expect([other.who(), other.shown()]).toEqual(["bob", ""]);
  });

  it("in one tab ends nothing that began in another after it, when the storage changes there late", async () => {
    const open = createTabs();
    const [bff, storage, late] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage: late, tabs: open() });
    await one.chat.identity.logout();
    expect(other.who()).toBe("none");
    other.identify("bob");
    await settle();
    other.chat.composer.draft.value = "half a thought of bob";
    late.setItem("parley.era", storage.map.get("parley.era") ?? "");
    other.chat.wake();
    await settle();
    expect([other.who(), other.chat.composer.draft.value]).toEqual(["bob", "half a thought of bob"]);
  });

  it("in two tabs at once ends nothing that began after it in either", async () => {
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const late: (() => void)[] = [];
    const open = createTabs();
    const slow = (tabs: Environment["tabs"]): Environment["tabs"] => ({
      ...tabs,
      post: (message) => void late.push(() => tabs.post(message)),
    });
    const randomId = () => `id-${bff.nextToken()}`;
    const one = await visitOf("ann", { bff, storage, randomId, tabs: slow(open()) });
    const tabStorage = createMapStorage();
    const other = await visitOf("ann", { bff, storage, tabStorage, randomId, tabs: slow(open()) });
    await Promise.all([one.chat.identity.logout(), other.chat.identity.logout()]);
    for (const arrive of late) arrive();
    other.identify("bob");
    other.chat.open();
    await settle();
    other.chat.composer.draft.value = "half a thought of bob";
    const stored = createMapStorage();
    for (const [key, value] of tabStorage.map) stored.setItem(key, value);
    other.chat.wake();
    await settle();
    expect([other.who(), other.chat.composer.draft.value]).toEqual(["bob", "half a thought of bob"]);
    const reloaded = await visitOf("bob", { bff, storage, tabStorage: stored });
    expect(reloaded.chat.composer.draft.value).toBe("half a thought of bob");
  });

  it("in one tab ends nothing that began after it, where nothing can be stored", async () => {
    const open = createTabs();
    const bff = createIdentityBff();
    const refusing = () => {
      throw new DOMException("denied", "SecurityError");
    };
    const storage = { ...createMapStorage(), getItem: refusing, setItem: refusing, removeItem: refusing };
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage, tabs: open() });
    await one.chat.identity.logout();
    expect([one.who(), other.who()]).toEqual(["none", "none"]);
    for (const visit of [one, other]) {
      visit.identify("bob");
      visit.chat.open();
    }
    await settle();
    for (const { chat } of [one, other]) {
      chat.composer.draft.value = "half a thought of bob";
      chat.wake();
    }
    await settle();
    expect([one.who(), other.who()]).toEqual(["bob", "bob"]);
    const drafts = [one, other].map(({ chat }) => chat.composer.draft.value);
    expect(drafts).toEqual(["half a thought of bob", "half a thought of bob"]);
  });

  it("in one tab ends nothing that began there after it, when another tab notices it late", async () => {
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const [unused, away, one] = Array.from({ length: 3 }, () => startVisit({ bff, storage }));
    away?.chat.open();
    await settle();
    one?.chat.open();
    await settle();
    await one?.chat.identity.logout();
    one?.chat.open();
    await settle();
    const next = storage.map.get("parley.session");
    for (const tab of [unused, away]) {
      tab?.chat.wake();
      await settle();
    }
    expect(next).toMatch(/^bearer-2/);
    expect(storage.map.get("parley.session")).toBe(next);
    const revoked = bff.calls(REVOKE).map(({ authorization }) => authorization);
    expect(revoked).not.toContain(`Bearer ${next}`);
  });

  it("cancels a renewal that waits for the running one, and no session begins for nobody", async () => {
    const { identify, chat, bff, who } = await visitOf("ann");
    const held = Promise.withResolvers<void>();
    bff.holdSession(held.promise);
    identify("ann");
    await settle();
    identify("ann");
    void chat.identity.logout();
    held.resolve();
    await settle();
    expect(who()).toBe("none");
    expect(bff.calls("POST /api/session")).toHaveLength(2);
  });

  it("reaches a tab whose frame was not loaded: its stored token is revoked, not resumed", async () => {
    const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
    await visitOf("ann", { bff, storage, tabStorage });
    await (await visitOf("ann", { bff, storage })).chat.identity.logout();
    const { chat, who } = startVisit({ bff, storage, tabStorage });
    chat.open();
    await settle();
    expect(who()).toMatch(/^anon_/);
    expect(bff.calls(REVOKE).map(({ authorization }) => authorization?.slice(0, 15))).toContain(
      "Bearer bearer-1",
    );
  });

  it("reaches a page in the background cache: it returns covered, and then empty", async () => {
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const away = await visitOf("ann", { bff, storage });
    away.chat.pause();
    expect(away.shown()).toBe("held");
    await (await visitOf("ann", { bff, storage })).chat.identity.logout();
    away.chat.wake();
    expect([away.shown(), away.chat.conversation.log.value.messages]).toEqual(["", []]);
  });

  it("a page from the background cache that returns to the same customer shows them again", async () => {
    const { chat, shown } = await visitOf("ann");
    chat.pause();
    expect(shown()).toBe("held");
    chat.wake();
    await settle();
    expect(shown()).toBe("words of ann");
  });
});

describe("a switch in one tab", () => {
  it("covers the others until their site has said who is there", async () => {
    const open = createTabs();
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const one = await visitOf("ann", { bff, storage, tabs: open() });
    const other = await visitOf("ann", { bff, storage, tabs: open() });
    other.page.who = "bob";
    const seen: string[] = [];
    one.identify("bob");
    await settle();
    seen.push(other.shown());
    await settle();
    expect(other.who()).toBe("bob");
    expect(other.chat.conversation.log.value.messages).toEqual([]);
    expect(seen.join()).not.toContain("ann");
  });
});
