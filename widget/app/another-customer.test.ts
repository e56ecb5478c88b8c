// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

const SESSION = "POST /api/session";
const REVOKE = "DELETE /api/session";

/** Ann writes while no session of hers can begin. */
async function annWritesInVain() {
  const visit = startVisit();
  visit.identify("ann");
  visit.bff.script(SESSION, () => problem("support_unreachable"));
  visit.chat.open();
  visit.chat.outbox.send("Ann's words");
  await settle();
  return visit;
}

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

  it.each(["on the same page", "after a reload"])(
    "whom the site does not know, in another tab, leaves nothing to a customer whose session expired: %s",
    async (when) => {
      const [bff, storage, tabStorage] = [createIdentityBff(), createMapStorage(), createMapStorage()];
      const ann = await visitOf("ann", { bff, storage, tabStorage });
      const [annsToken = ""] = bff.bearers.keys();
      const visitor = startVisit({ bff, storage });
      visitor.chat.open();
      await settle();
      bff.words.set(String(visitor.who()), ["words of a visitor"]);
      bff.bearers.delete(annsToken);
      if (when === "on the same page") await ann.chat.session.refresh();
      const tab = when === "on the same page" ? ann : await visitOf("ann", { bff, storage, tabStorage });
      expect([tab.who(), tab.shown()]).toEqual(["ann", "words of ann"]);
      expect([...bff.bearers.values()]).toEqual([visitor.who(), "ann"]);
    },
  );

  it("whom the site does not know, in another tab, keeps their session if an expired customer goes on without a name", async () => {
    const [bff, storage] = [createIdentityBff(), createMapStorage()];
    const ann = await visitOf("ann", { bff, storage });
    const [annsToken = ""] = bff.bearers.keys();
    const visitor = startVisit({ bff, storage });
    visitor.chat.open();
    await settle();
    bff.bearers.delete(annsToken);
    ann.page.who = undefined;
    await ann.chat.session.refresh().catch(() => undefined);
    ann.chat.identity.stayAnonymous();
    await settle();
    const [visitorsToken] = bff.bearers.keys();
    const revoked = bff.calls(REVOKE).map(({ authorization }) => authorization);
    expect(revoked).not.toContain(`Bearer ${visitorsToken}`);
  });

  it.each(["as they are", "with a new session"])(
    "who is anonymous in another tab keeps their conversation on the next page after the first one's session was read again %s",
    async (how) => {
      const [bff, storage] = [createIdentityBff(), createMapStorage()];
      const ann = await visitOf("ann", { bff, storage });
      const [annsToken = ""] = bff.bearers.keys();
      const visitor = startVisit({ bff, storage });
      visitor.chat.open();
      await settle();
      if (how === "with a new session") bff.bearers.delete(annsToken);
      await ann.chat.session.refresh();
      expect(ann.who()).toBe("ann");
      const next = startVisit({ bff, storage });
      next.chat.open();
      await settle();
      expect(next.who()).toBe(visitor.who());
    },
  );

  it("sends nothing that the first wrote before a session of theirs could begin", async () => {
    const { chat, identify, who, bff } = await annWritesInVain();
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
    const { chat, identify, who } = await annWritesInVain();
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

  it("the same customer again finds everything unchanged, with what they typed meanwhile", async () => {
    const { chat, identify, shown, tabStorage } = await visitOf("ann");
    chat.composer.draft.value = "half a thought";
    identify("ann");
    chat.composer.held.value = ", and more";
    expect(JSON.stringify([...tabStorage.map])).not.toContain("and more");
    await settle();
    expect([shown(), chat.composer.draft.value]).toEqual(["words of ann", "half a thought, and more"]);
  });

  it("gets nothing that was typed while their identity was checked", async () => {
    const { chat, identify, page, time, who } = await visitOf("ann");
    page.isSilent = true;
    identify("bob");
    chat.composer.held.value = "typed by either";
    page.isSilent = false;
    await time.advance(10_000);
    expect(chat.composer.held.value).toBe("typed by either");
    chat.identity.wake();
    await settle();
    expect([who(), chat.composer.draft.value, chat.composer.held.value]).toEqual(["bob", "", ""]);
  });

  it("does not leave what they typed before their token arrived to the first one, who is named again", async () => {
    const { chat, identify, page, who } = await visitOf("ann");
    page.isSilent = true;
    identify("bob");
    chat.composer.held.value = "typed by bob";
    page.isSilent = false;
    identify("ann");
    await settle();
    expect([who(), chat.composer.draft.value, chat.composer.held.value]).toEqual(["ann", "", ""]);
  });

  it("does not leave what they typed before they had a session to the customer who is named next", async () => {
    const { bff, chat, identify, who } = await visitOf("ann");
    bff.script(SESSION, () => problem("support_unreachable"));
    const outage = Promise.withResolvers<void>();
    bff.holdSession(outage.promise);
    identify("bob");
    await settle();
    chat.composer.held.value = "typed by bob";
    identify("ann");
    outage.resolve();
    await settle();
    expect([who(), chat.composer.draft.value, chat.composer.held.value]).toEqual(["ann", "", ""]);
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
