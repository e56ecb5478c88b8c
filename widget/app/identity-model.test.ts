// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, types } from "./testing/start-chat.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const SESSION = "POST /api/session";
const MINUTE_MS = 60_000;

describe("a site that identifies its visitors", () => {
  it("is not asked before the panel is opened", async () => {
    const { identify, page, bff } = startVisit();
    identify("ann");
    await settle();
    expect([page.asked, bff.received.length]).toEqual([0, 0]);
  });

  it("is asked once, and its customer's conversation is shown", async () => {
    const { page, shown, who, tabStorage, storage } = await visitOf("ann");
    expect([page.asked, who(), shown()]).toEqual([1, "ann", "words of ann"]);
    expect(tabStorage.map.get("parley.session")).toMatch(/ bearer-/);
    expect(storage.map.size).toBe(0);
  });

  it("makes the anonymous conversation its customer's, in place: draft and messages stay", async () => {
    const { bff, chat, identify, shown, who, storage } = startVisit();
    bff.words.set("anon_0", ["anonymous words"]);
    chat.open();
    await settle();
    expect([who(), shown()]).toEqual(["anon_0", "anonymous words"]);
    chat.composer.draft.value = "half a thought";
    identify("ann");
    expect(chat.identity.isChanging.value).toBe(false);
    await settle();
    expect([who(), shown(), chat.composer.draft.value]).toEqual(["ann", "anonymous words", "half a thought"]);
    expect(storage.map.size).toBe(0);
  });

  it("in a tab that signs in while another one does is asked once: its token starts a session of its own", async () => {
    const { chat, bff, identify, who, page, happenings } = startVisit();
    chat.open();
    await settle();
    // The other tab has the anonymous session meanwhile, and the BFF has given this tab's token back.
    bff.script(SESSION, () => problem("unauthenticated"));
    identify("ann");
    await settle();
    expect([who(), page.asked]).toEqual(["ann", 1]);
    expect(types(happenings)).not.toContain("identity.failed");
  });

  it("ends a conversation that its customer began in another tab, although the panel was not opened here", async () => {
    const { bff } = await visitOf("ann");
    const { chat, identify } = startVisit({ bff });
    identify("ann");
    bff.script("DELETE /api/conversation", () =>
      json(200, { conversation: { id: "of-ann", status: "ended" } }),
    );
    expect(await chat.conversation.end()).toBeUndefined();
    expect(bff.calls("DELETE /api/conversation")).toHaveLength(1);
  });

  it("whose visitor is not signed in gets an anonymous session", async () => {
    const { identify, chat, who } = startVisit();
    identify(null);
    chat.open();
    await settle();
    expect(who()).toBe("anon_0");
  });

  /** What the panel makes of the site's answer. */
  function tokenOf(text: string): Promise<string | undefined> {
    const { site } = startVisit().chat.identity;
    let asked = 0;
    site.connect((id) => {
      asked = id;
    });
    const token = site.getToken();
    site.answer(asked, text);
    return token;
  }

  it.each(["after a reload", "on the same page", "when their session has expired"])(
    "that says %s that nobody is signed in any more leaves another tab's visitor their session",
    async (when) => {
      const browser = { bff: createIdentityBff(), storage: createMapStorage() };
      const [annsTab, visitorsTab] = [createMapStorage(), createMapStorage()];
      const ann = await visitOf("ann", { ...browser, tabStorage: annsTab });
      const visitor = startVisit({ ...browser, tabStorage: visitorsTab });
      visitor.chat.open();
      await settle();
      const known = visitor.who();
      let tab = ann;
      if (when === "after a reload") {
        ann.chat.pause();
        tab = startVisit({ ...browser, tabStorage: annsTab });
      }
      if (when === "when their session has expired") {
        const [token = ""] = browser.bff.bearers.keys();
        browser.bff.bearers.delete(token);
        browser.bff.script("POST /api/conversation", () => problem("session_expired"));
        ann.page.who = null;
        ann.chat.outbox.send("Hello");
      } else tab.identify(null);
      tab.chat.open();
      await settle();
      visitor.chat.pause();
      const reloaded = startVisit({ ...browser, tabStorage: visitorsTab });
      reloaded.chat.open();
      await settle();
      expect([known, reloaded.who(), tab.who()]).toEqual([known, known, known]);
    },
  );

  it.each(['{"token":null}', "null"])("that says %s has nobody signed in", async (text) => {
    expect(await tokenOf(text)).toBeUndefined();
  });

  it.each([
    '{"other":1}',
    "{}",
    "",
    "undefined",
    '{"token":7}',
    '{"token":""}',
    "7",
    "[]",
    "false",
    "<".repeat(8193),
  ])("that says %.20s has failed, which makes nobody anonymous", async (text) => {
    await expect(tokenOf(text)).rejects.toMatchObject({ code: "identity_unavailable" });
  });

  it.each([
    ["as JSON", '{"token":"a.b.c"}'],
    ["as text", " a.b.c\n"],
  ])("gives its token %s", async (_name, text) => {
    expect(await tokenOf(text)).toBe("a.b.c");
  });

  it("that is no JSON is a token, which the service refuses", async () => {
    expect(await tokenOf("{")).toBe("{");
  });
});

describe("a panel that is opened again", () => {
  it("asks neither the site nor for another session, because its one token was for one use", async () => {
    const { chat, page, who, bff } = await visitOf("ann");
    for (let round = 0; round < 3; round += 1) {
      chat.close();
      chat.open();
      await settle();
    }
    expect([page.asked, who(), bff.bearers.size]).toEqual([1, "ann", 1]);
  });

  it("after its session ended asks the site, and never continues without it", async () => {
    const { chat, page, who, bff } = await visitOf("ann");
    bff.bearers.clear();
    bff.words.clear();
    page.who = undefined;
    chat.close();
    chat.open();
    await settle();
    bff.script("POST /api/conversation/messages", () => problem("session_expired"));
    chat.outbox.send("Still there?");
    await settle();
    expect(page.asked).toBe(2);
    expect(who()).toBe("failed");
  });
});

describe("IDENT4 an identity token that does not arrive", () => {
  it.each(["rejects", "hangs for ten seconds"])(
    "%s: nobody becomes anonymous by it, and the draft stays",
    async (how) => {
      const { chat, identify, page, bff, time, happenings } = startVisit();
      page.isSilent = how !== "rejects";
      identify(undefined);
      chat.composer.draft.value = "half a thought";
      chat.open();
      await time.advance(10_000);
      expect(chat.session.state.value).toMatchObject({
        kind: "failed",
        failure: { code: "identity_unavailable" },
      });
      expect(bff.calls(SESSION)).toEqual([]);
      expect(chat.composer.draft.value).toBe("half a thought");
      expect(happenings).toContainEqual({ type: "identity.failed", code: "identity_unavailable" });
    },
  );

  describe("that hangs while the page names the next visitor", () => {
    async function startHanging(next: string | undefined, written?: string) {
      const visit = startVisit();
      const { chat, identify, page, time } = visit;
      page.isSilent = true;
      identify("ann");
      chat.open();
      if (written) chat.outbox.send(written);
      await settle();
      page.isSilent = false;
      identify(next);
      await time.advance(10_000);
      await settle();
      return visit;
    }

    it("is given up, and the site is asked for them without a report of a failure", async () => {
      const { chat, page, who, happenings } = await startHanging("bob");
      expect([who(), page.asked, chat.identity.isChanging.value]).toEqual(["bob", 2, false]);
      expect(happenings).toEqual([]);
    });

    it("sends nothing in their name that was written before", async () => {
      const { bff, chat, who } = await startHanging("bob", "I am Ann");
      expect(who()).toBe("bob");
      expect(bff.calls("POST /api/conversation")).toEqual([]);
      expect(chat.conversation.log.value.pending).toMatchObject([
        { body: "I am Ann", status: "not_confirmed" },
      ]);
    });

    it("does not hide that their own token fails", async () => {
      const { who, happenings } = await startHanging(undefined);
      expect(who()).toBe("failed");
      expect(happenings).toEqual([{ type: "identity.failed", code: "identity_unavailable" }]);
    });
  });

  it("a refused token is reported by its code, and starts no anonymous session", async () => {
    const { chat, identify, bff, happenings } = startVisit();
    identify("no-token");
    bff.script(SESSION, () => problem("identity_expired"));
    chat.open();
    await settle();
    expect(happenings.some(({ type }) => type === "identity.failed")).toBe(true);
    expect(bff.calls(SESSION).every(({ body }) => "token" in body)).toBe(true);
  });

  it("can be requested again by the customer, and then what waited is sent", async () => {
    const { chat, identify, page, who } = startVisit();
    identify(undefined);
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    expect(chat.conversation.log.value.pending).toMatchObject([{ body: "Hello", status: "not_confirmed" }]);
    page.who = "ann";
    chat.wake();
    await settle();
    expect(who()).toBe("ann");
    expect(chat.conversation.log.value.pending).toMatchObject([{ body: "Hello" }]);
  });

  it("lets the customer continue without it, if the owner allows that", async () => {
    const { chat, identify, who } = startVisit();
    identify(undefined);
    chat.open();
    await settle();
    expect(chat.identity.mayStayAnonymous.value).toBe(true);
    chat.identity.stayAnonymous();
    await settle();
    expect(who()).toBe("anon_0");
  });

  it("a page that identifies nobody does not continue another page's identified session", async () => {
    const bff = createIdentityBff();
    const tabStorage = createMapStorage();
    await visitOf("ann", { bff, tabStorage });
    const { chat, shown, happenings } = startVisit({ bff, tabStorage });
    chat.open();
    await settle();
    expect(chat.session.state.value).toMatchObject({
      kind: "failed",
      failure: { code: "identity_required" },
    });
    expect(shown()).toBe("");
    expect(happenings).toContainEqual({ type: "identity.failed", code: "identity_required" });
  });
});

describe("renewal", () => {
  it("happens before the session ends, unnoticed: draft, messages and token stay", async () => {
    const { chat, page, shown, time, bff } = await visitOf("ann");
    chat.composer.draft.value = "half a thought";
    await time.advance(50 * MINUTE_MS);
    expect(page.asked).toBe(2);
    expect(bff.calls(SESSION).at(-1)?.authorization).toMatch(/^Bearer bearer-1/);
    expect([shown(), chat.composer.draft.value, bff.bearers.size]).toEqual([
      "words of ann",
      "half a thought",
      1,
    ]);
  });

  it("does not ask the site while the panel is closed", async () => {
    const { chat, page, time } = await visitOf("ann");
    chat.close();
    await time.advance(120 * MINUTE_MS);
    expect(page.asked).toBe(1);
  });

  it("after a 401 the site is asked for a new token, and the message is sent with the same key", async () => {
    const { chat, page, bff, who } = await visitOf("ann");
    bff.bearers.clear();
    bff.script("POST /api/conversation/messages", () => problem("session_expired"));
    chat.outbox.send("Still there?");
    await settle();
    expect(page.asked).toBe(2);
    expect(who()).toBe("ann");
    const keys = bff.calls("POST /api/conversation/messages").map(({ body }) => body.clientMessageId);
    expect(keys).toEqual([keys[0], keys[0]]);
  });
});

describe("storage that throws", () => {
  it("leaves identity working in memory", async () => {
    const broken = {
      map: new Map<string, string>(),
      getItem: (): string | null => {
        throw new Error("SecurityError");
      },
      setItem: () => {
        throw new Error("QuotaExceededError");
      },
      removeItem: () => {
        throw new Error("SecurityError");
      },
    };
    const { chat, shown, identify, who } = await visitOf("ann", { storage: broken, tabStorage: broken });
    expect(shown()).toBe("words of ann");
    identify("bob");
    await settle();
    expect(who()).toBe("bob");
    await chat.identity.logout();
    expect(who()).toBe("none");
  });
});

describe("what the page says about its visitor", () => {
  it("is sent once in a running session", async () => {
    const { chat, bff } = await visitOf("ann");
    const before = bff.calls(SESSION).length;
    chat.session.sendPageFacts();
    await settle();
    expect(bff.calls(SESSION)).toHaveLength(before + 1);
    expect(bff.calls(SESSION).at(-1)?.body).not.toHaveProperty("token");
  });

  it("is sent with the session's start, and not again while the page says the same", async () => {
    const { bff } = await visitOf("ann");
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("that changes while a session starts is sent one more time, not twice", async () => {
    const facts = { locale: "de" };
    const { chat, bff } = await visitOf("ann", { describe: () => ({ ...facts }) });
    const before = bff.calls(SESSION).length;
    const refreshed = chat.session.refresh();
    facts.locale = "fr";
    chat.session.sendPageFacts();
    await refreshed;
    await settle();
    const sent = bff.calls(SESSION).slice(before);
    expect(sent).toMatchObject([{ body: { locale: "de" } }, { body: { locale: "fr" } }]);
  });
});
