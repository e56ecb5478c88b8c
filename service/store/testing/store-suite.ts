import { describe, expect, test } from "vitest";
import type { Owner } from "../owner.ts";
import { describeAnswers } from "./answers-suite.ts";
import { describeCustomers } from "./customer-suite.ts";
import { describeDesk } from "./desk-suite.ts";
import { describeQueue } from "./queue-suite.ts";
import { describeSeams } from "./seams-suite.ts";
import { type OpenedStore, openStage, ROUTE } from "./store-stage.ts";

/** What every driver of the store must do, whatever its database. */
export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  const openTalk = async () => {
    const stage = await openStage(await open());
    const owner = await stage.customer("ann");
    return { ...stage, owner, id: await stage.start(owner) };
  };

  describe(`the store on ${name}: the log`, () => {
    test("200 concurrent writes each get their own seq, without gaps, and are published after their commit in that order", async () => {
      const { say, log, owner, id, published } = await openTalk();
      const turns = await Promise.all(
        Array.from({ length: 200 }, (_, at) => say(owner, id, `Message ${at}`)),
      );
      const seqs = turns.map(({ message }) => message.seq).toSorted((one, other) => one - other);
      expect(seqs).toEqual(Array.from({ length: 200 }, (_, at) => at + 2));
      const events = await log(owner, id);
      expect(events.map(({ seq }) => seq)).toEqual([1, ...seqs]);
      const sent = published.flatMap(({ event }) => ("seq" in event ? [event] : []));
      expect(sent).toEqual(events);
    });

    test("a message under the same key is one message; with another text it is refused", async () => {
      const { say, read, owner, id } = await openTalk();
      const key = { clientMessageId: "k1" };
      const first = await say(owner, id, "Hello", key);
      expect(await say(owner, id, "Hello", key)).toEqual(first);
      await expect(say(owner, id, "Goodbye", key)).rejects.toMatchObject({ code: "key_reused" });
      expect((await read(owner, id)).messages).toEqual([first.message]);
    });

    test("a conversation that is started again under the same key is the same one, until it has ended", async () => {
      const { store, owner } = await openTalk();
      const given = { subject: "Lamp", route: ROUTE, locale: undefined };
      const start = (bodyHash: string) => store.conversations.start(owner, given, { key: "k", bodyHash });
      const first = await start("a");
      expect(first).toMatchObject({ status: "open", route: ROUTE });
      expect(await start("a")).toEqual(first);
      await expect(start("b")).rejects.toMatchObject({ code: "key_reused" });
      // A BFF that lost its state counts a customer's conversations from one again.
      await store.conversations.end(owner, first.id);
      const next = await start("a");
      expect(next.id).not.toBe(first.id);
      expect(await start("a")).toEqual(next);
    });

    test("CONV2 a foreign conversation and a missing one are refused alike, by every call", async () => {
      const { store, say, ask, start, customer, id, workspaceId } = await openTalk();
      const bob = await customer("bob");
      const { id: second } = await store.workspaces.create({ name: "two", publicKey: "pk_two" });
      const elsewhere: Owner = {
        workspaceId: second,
        customerId: (await customer("ann", second)).customerId,
      };
      const calls = (owner: Owner, target: string) => [
        store.conversations.readEvents(owner, target, 0, 10),
        store.conversations.readTranscript(owner, target, 0, 10),
        store.conversations.readTranscriptBefore(owner, target, 9, 10),
        store.conversations.rate(owner, target, { score: "up" }),
        store.conversations.markRead(owner, target, 1),
        store.conversations.end(owner, target),
        say(owner, target, "Hello"),
        ask(owner, target),
        store.handoffs.check(owner, target, undefined),
        store.attachments.open(owner, target, "att_1"),
        store.erasure.eraseConversation(owner, target),
      ];
      for (const owner of [bob, elsewhere, { workspaceId, customerId: elsewhere.customerId }]) {
        const refused = await Promise.allSettled([...calls(owner, id), ...calls(owner, "conv_missing")]);
        for (const one of refused) {
          expect(one).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
        }
      }
      expect(await start(bob)).not.toBe(id);
    });

    test("all pages of the log together are the whole log, and the last one has no next", async () => {
      const { store, say, read, owner, id } = await openTalk();
      for (let at = 0; at < 5; at += 1) await say(owner, id, `Message ${at}`);
      const whole = await read(owner, id);
      const first = await store.conversations.readTranscript(owner, id, 0, 4);
      expect(first.nextAfter).toBe(4);
      const last = await store.conversations.readTranscript(owner, id, 4, 4);
      expect(last.nextAfter).toBeUndefined();
      expect([...first.messages, ...last.messages]).toEqual(whole.messages);
    });

    test("pages from the end are the whole log, and no page precedes the first", async () => {
      const { store, say, read, owner, id } = await openTalk();
      for (let at = 0; at < 5; at += 1) await say(owner, id, `Message ${at}`);
      const whole = await read(owner, id);
      const pageBefore = (seq: number) => store.conversations.readTranscriptBefore(owner, id, seq, 4);
      const last = await pageBefore(Number.MAX_SAFE_INTEGER);
      expect(last).toMatchObject({ lastSeq: whole.lastSeq, nextBefore: 3 });
      const first = await pageBefore(3);
      expect(first.nextBefore).toBeUndefined();
      expect([...first.messages, ...last.messages]).toEqual(whole.messages);
    });

    test("a page from the end holds fewer messages where they are long, and never none", async () => {
      const { store, say, owner, id } = await openTalk();
      for (let at = 0; at < 70; at += 1) await say(owner, id, "x".repeat(5000));
      const { messages, nextBefore } = await store.conversations.readTranscriptBefore(owner, id, 99, 500);
      expect(messages.length).toBeGreaterThan(10);
      expect(messages.length).toBeLessThan(60);
      expect(nextBefore).toBe(messages[0]?.seq);
    });

    test("an ended conversation accepts no more messages, and ends once", async () => {
      const { store, say, ask, log, owner, id } = await openTalk();
      const ended = await store.conversations.end(owner, id);
      expect(await store.conversations.end(owner, id)).toEqual(ended);
      await expect(say(owner, id, "Hello")).rejects.toMatchObject({ code: "conversation_ended" });
      await expect(ask(owner, id)).rejects.toMatchObject({ code: "conversation_ended" });
      expect(await log(owner, id)).toHaveLength(2);
    });

    test("a read position never moves back, and none beyond the log is taken", async () => {
      const { store, say, owner, id } = await openTalk();
      await say(owner, id, "Hello");
      await expect(store.conversations.markRead(owner, id, 3)).rejects.toMatchObject({ code: "bad_request" });
      expect(await store.conversations.markRead(owner, id, 2)).toBe(2);
      expect(await store.conversations.markRead(owner, id, 1)).toBe(2);
    });
  });

  describe(`the store on ${name}: customers and credentials`, () => {
    test("a profile is merged by name, and its externalId names the same customer forever", async () => {
      const { store, workspaceId } = await openTalk();
      const first = await store.customers.upsert(workspaceId, {
        externalId: "bea",
        attributes: { plan: "a" },
      });
      const attributes = { seats: 3 };
      expect(await store.customers.upsert(workspaceId, { externalId: "bea", attributes })).toEqual(first);
      const { customer } = await store.erasure.exportCustomer(workspaceId, "bea");
      expect(customer).toMatchObject({ externalId: "bea", attributes: { plan: "a", seats: 3 } });
    });

    test("two credentials are valid at a time; a revoked one opens nothing", async () => {
      const { store, workspaceId } = await openTalk();
      const add = (hash: string) => store.credentials.add({ workspaceId, hash, label: hash });
      const one = await add("h1");
      await add("h2");
      await expect(add("h3")).rejects.toMatchObject({ code: "bad_request" });
      expect((await store.credentials.findWorkspace("h1"))?.id).toBe(workspaceId);
      expect(await store.credentials.revoke(workspaceId, one.id)).toBe(true);
      expect(await store.credentials.findWorkspace("h1")).toBeUndefined();
      await store.credentials.replace({ workspaceId, hash: "h4", label: "h4" }, { label: "h2" });
      expect(await store.credentials.findWorkspace("h2")).toBeUndefined();
    });

    test("a selection is that of the session, or else the customer's most recent one", async () => {
      const { store, owner, clock } = await openTalk();
      const select = (sessionId: string, channel: string) =>
        store.customers.keepSelection(owner, { sessionId, route: { ...ROUTE, channel }, locale: undefined });
      await select("one", "web");
      clock.advance(1);
      await select("two", "phone");
      expect((await store.customers.findSelection(owner, "one"))?.route.channel).toBe("web");
      expect((await store.customers.findSelection(owner, "three"))?.route.channel).toBe("phone");
    });

    test("a session's selection is stored although the clock was set back since those of eight others", async () => {
      const { store, owner, clock } = await openTalk();
      const select = (sessionId: string, channel: string) =>
        store.customers.keepSelection(owner, { sessionId, route: { ...ROUTE, channel }, locale: undefined });
      for (let n = 0; n < 8; n += 1) await select(`before-${n}`, "web");
      clock.advance(-60_000);
      await select("now", "phone");
      expect((await store.customers.findSelection(owner, "now"))?.route.channel).toBe("phone");
    });
  });

  describe(`the store on ${name}: erasure`, () => {
    test("an erased conversation is gone, is reported to its subscribers, and may be erased again", async () => {
      const { store, say, start, read, owner, id, published } = await openTalk();
      await say(owner, id, "Hello");
      const other = await start(owner);
      expect((await store.erasure.eraseConversation(owner, id)).conversations).toBe(1);
      expect(published.at(-1)).toMatchObject({ conversationId: id, event: { type: "conversation.erased" } });
      expect((await store.erasure.eraseConversation(owner, id)).conversations).toBe(0);
      await expect(read(owner, id)).rejects.toMatchObject({ code: "not_found" });
      expect((await read(owner, other)).lastSeq).toBe(1);
    });

    test("an erased customer can't start anything with a session that they still have", async () => {
      const { store, start, owner, workspaceId } = await openTalk();
      expect((await store.erasure.eraseCustomer(workspaceId, "ann")).conversations).toBe(1);
      await expect(start(owner)).rejects.toMatchObject({ code: "unauthenticated" });
      await expect(store.erasure.exportCustomer(workspaceId, "ann")).rejects.toMatchObject({
        code: "not_found",
      });
    });
  });

  describeDesk(name, open);
  describeCustomers(name, open);
  describeQueue(name, open);
  describeAnswers(name, open);
  describeSeams(name, open);
}
