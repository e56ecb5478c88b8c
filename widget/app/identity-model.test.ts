// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const SESSION = "POST /api/session";
const REVOKE = "DELETE /api/session";
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

  it.each(['{"token":null}', "null"])("that says %s has nobody signed in", async (text) => {
    expect(await tokenOf(text)).toBeUndefined();
  });

  it.each(['{"other":1}', "{}", "", "undefined", '{"token":7}', '{"token":""}', "7", "[]", "false"])(
    "that says %s has failed, which makes nobody anonymous",
    async (text) => {
      await expect(tokenOf(text)).rejects.toMatchObject({ code: "identity_unavailable" });
    },
  );

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

describe("IDENT5 another customer", () => {
  it("sees nothing of the first from the moment when the site named somebody else", async () => {
    const { chat, identify, shown, who, bff } = await visitOf("ann");
    bff.words.set("bob", ["words of bob"]);
    chat.composer.draft.value = "Ann's thought";
    identify("bob");
    expect(shown()).toBe("held");
    const seen: string[] = [];
    chat.subscribe(() => seen.push(shown()));
    chat.identity.isChanging.subscribe(() => seen.push(shown()));
    await settle();
    expect([who(), shown(), chat.composer.draft.value]).toEqual(["bob", "words of bob", ""]);
    expect(seen.filter((words) => words.includes("ann"))).toEqual([]);
    expect([...bff.bearers.values()]).toEqual(["bob"]);
  });

  it("sends nothing that the first wrote before a session of theirs could begin", async () => {
    const { chat, identify, who, bff } = startVisit();
    identify("ann");
    bff.script(SESSION, () => problem("support_unreachable"));
    chat.open();
    chat.outbox.send("Ann's words");
    await settle();
    expect(chat.conversation.log.value.pending).toMatchObject([
      { body: "Ann's words", status: "not_confirmed" },
    ]);
    identify("bob");
    await settle();
    expect([who(), chat.conversation.log.value.pending]).toEqual(["bob", []]);
    expect(bff.received.filter(({ body }) => body?.body === "Ann's words")).toEqual([]);
  });

  it("does not repeat the first person's request for a human, before either had a session", async () => {
    const { chat, identify, page, who, bff } = startVisit();
    bff.words.set("anon_0", ["anonymous words"]);
    chat.open();
    await settle();
    bff.script(SESSION, () => problem("support_unreachable"));
    identify("ann");
    await settle();
    page.who = "bob";
    expect((await chat.conversation.requestHuman())?.code).toBe("session_expired");
    expect(who()).toBe("bob");
    expect(bff.calls("POST /api/conversation/handoff")).toEqual([]);
  });

  it("OUT3 named by a renewal while support is down: the first one's conversation is covered, and nothing is written in their name", async () => {
    const { chat, page, shown, who, bff, time, tabStorage } = await visitOf("ann");
    chat.composer.draft.value = "half a thought of ann";
    page.who = "bob";
    bff.script(SESSION, () => problem("support_unreachable"));
    await time.advance(50 * 60_000);
    expect([page.asked, who(), shown()]).toEqual([2, "failed", "held"]);
    chat.wake();
    await settle();
    expect([who(), shown(), chat.composer.draft.value]).toEqual(["bob", "", ""]);
    expect(tabStorage.map.has("parley.kept")).toBe(false);
  });

  it("OUT3 the same customer, named by a renewal while support is down, is not covered (control)", async () => {
    const { chat, page, shown, who, bff, time } = await visitOf("ann");
    chat.composer.draft.value = "half a thought of ann";
    bff.script(SESSION, () => problem("support_unreachable"));
    await time.advance(50 * 60_000);
    expect([page.asked, who(), shown(), chat.composer.draft.value]).toEqual([
      2,
      "failed",
      "words of ann",
      "half a thought of ann",
    ]);
  });

  it("the same customer, named again, sends what could not be sent before (control)", async () => {
    const { chat, identify, who, bff } = startVisit();
    identify("ann");
    bff.script(SESSION, () => problem("support_unreachable"));
    chat.open();
    chat.outbox.send("Ann's words");
    await settle();
    identify("ann");
    await settle();
    expect(who()).toBe("ann");
    expect(chat.conversation.log.value.pending).toMatchObject([{ body: "Ann's words" }]);
  });

  it("is not uncovered by an answer of the first one's that was in flight", async () => {
    const { identify, shown, bff, page } = await visitOf("ann");
    let release = (): void => undefined;
    bff.holdSession(
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    );
    identify("ann");
    await settle();
    page.isSilent = true;
    identify("bob");
    release();
    await settle();
    expect(shown()).toBe("held");
  });

  it("is requested from the site once, and not again until somebody acts", async () => {
    const { identify, page, time } = await visitOf("ann");
    identify(undefined);
    await time.advance(120_000);
    expect(page.asked).toBe(2);
  });

  it("stays covered without a proof from the site", async () => {
    const { chat, identify, shown } = await visitOf("ann");
    identify(undefined);
    await settle();
    expect(shown()).toBe("held");
    expect(chat.session.state.value.kind).toBe("failed");
    chat.identity.stayAnonymous();
    await settle();
    expect(shown()).toBe("");
    expect(chat.conversation.log.value.messages).toEqual([]);
  });

  it("the same customer again finds everything unchanged", async () => {
    const { chat, identify, shown } = await visitOf("ann");
    chat.composer.draft.value = "half a thought";
    identify("ann");
    await settle();
    expect([shown(), chat.composer.draft.value]).toEqual(["words of ann", "half a thought"]);
  });

  it("does not send what the first had not sent yet", async () => {
    const { chat, identify, bff, page } = await visitOf("ann");
    bff.script("POST /api/conversation/messages", () => new Promise<Response>(() => undefined));
    chat.outbox.send("one");
    chat.outbox.send("two");
    await settle();
    page.isSilent = false;
    identify("bob");
    await settle();
    expect(chat.conversation.log.value.pending).toEqual([]);
    const sent = bff.received.filter(
      ({ path }) => path.startsWith("/api/conversation/") || path === "/api/conversation",
    );
    expect(sent.filter(({ body }) => body.body === "two")).toEqual([]);
  });

  it("does not send it either if the first one's token expires while the next one is requested", async () => {
    const { chat, identify, who, bff } = await visitOf("ann");
    const refusal = Promise.withResolvers<void>();
    bff.script("POST /api/conversation/messages", async () => {
      await refusal.promise;
      return problem("session_expired");
    });
    chat.outbox.send("Ann's");
    await settle();
    const session = Promise.withResolvers<void>();
    bff.holdSession(session.promise);
    identify("bob");
    await settle();
    refusal.resolve();
    await settle();
    session.resolve();
    await settle();
    expect([who(), chat.conversation.log.value.pending]).toEqual(["bob", []]);
    const sent = bff.received.filter(({ body }) => body?.body === "Ann's");
    expect(sent.map(({ authorization }) => authorization)).toEqual([`Bearer bearer-1-${"x".repeat(34)}`]);
  });

  it("an answer of the first one's that was in flight is ignored", async () => {
    const { chat, identify, shown, bff } = await visitOf("ann");
    let release = (): void => undefined;
    bff.script("POST /api/conversation/messages", async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return json(201, {
        message: { id: "m", seq: 9, role: "customer", body: "Ann's", at: AT, clientMessageId: "key-1" },
      });
    });
    chat.outbox.send("Ann's");
    await settle();
    identify("bob");
    await settle();
    release();
    await settle();
    expect(shown()).toBe("");
  });

  it("leaves nothing if the site says that nobody is signed in any more", async () => {
    const { identify, shown, who, bff } = await visitOf("ann");
    identify(null);
    await settle();
    expect(who()).toMatch(/^anon_/);
    expect(shown()).toBe("");
    expect(bff.calls(REVOKE)[0]?.authorization).toMatch(/^Bearer bearer-1/);
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
