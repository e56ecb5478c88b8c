import { describe, expect, test } from "vitest";
import { MARIA, NOOR, type OpenedStore, openAsked, openStage, ROUTE, type Stage } from "./store-stage.ts";

/** What the team sees of a customer, for every driver. */
export function describeCustomers(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}: who the customer is`, () => {
    test("DESK14 what the team typed is in the customer's export, and is erased with their last conversation", async () => {
      const { store, desk, target, ann, id, workspaceId } = await openAsked(await open());
      await desk.describeCustomer(target, NOOR, { name: "Ann from Bern", email: "ann@bern.example" });
      const exported = async () => (await store.erasure.exportCustomer(workspaceId, "ann")).customer;
      expect(await exported()).toMatchObject({ teamName: "Ann from Bern", teamEmail: "ann@bern.example" });
      await store.erasure.eraseConversation(ann, id);
      expect(await exported()).toMatchObject({ teamName: null, teamEmail: null });
    });

    test("DESK14 a change of the team's name leaves the address that a colleague typed, and null removes one", async () => {
      const { store, desk, target } = await openAsked(await open());
      await desk.describeCustomer(target, NOOR, { name: "Ann", email: "ann@bern.example" });
      const both = { name: "Ann from Bern", email: "ann@bern.example" };
      expect(await desk.describeCustomer(target, MARIA, { name: "Ann from Bern" })).toEqual(both);
      expect((await store.desk.readDeskSummary(target))?.customer.team).toEqual(both);
      expect(await desk.describeCustomer(target, MARIA, { name: null })).toEqual({ email: both.email });
    });

    test("STORE8 DESK14 a customer's export has what was typed about the visitor that they were", async () => {
      const { store, customer, start, workspaceId } = await openStage(await open());
      const [visitor, bob] = [await customer("anon_visitor"), await customer("anon_bob")];
      await customer("ann");
      const id = await start(visitor);
      await store.customers.setContact(visitor, id, { email: "reply@bern.example" });
      await store.customers.setContact(bob, await start(bob), { email: "bob@bern.example" });
      await store.conversations.link(workspaceId, id, { externalId: "anon_visitor", linkedTo: "ann" });
      const target = { workspaceId, conversationId: id };
      await store.desk.describeCustomer(target, NOOR, { name: "Ann from Bern", email: null });
      const exported = await store.erasure.exportCustomer(workspaceId, "ann");
      expect(exported.conversations).toMatchObject([
        {
          id,
          startedBy: {
            externalId: "anon_visitor",
            contactEmail: "reply@bern.example",
            teamName: "Ann from Bern",
          },
        },
      ]);
      expect(JSON.stringify(exported)).not.toContain("bob");
    });

    test("DESK13 each conversation says where it was started, and one without that says nothing", async () => {
      const { store, customer, workspaceId } = await openStage(await open());
      const ann = await customer("ann");
      const about = { subject: undefined, route: ROUTE, locale: "en" };
      const places = [{ page: "/pricing", browser: "Firefox" }, { browser: "Edge" }, undefined];
      for (const startedFrom of places) {
        const { id } = await store.conversations.start(ann, { ...about, startedFrom }, undefined);
        const row = await store.desk.readDeskConversation({ workspaceId, conversationId: id });
        expect(row?.customer.startedFrom).toEqual(startedFrom);
      }
    });

    test("DESK13 a later conversation says which one it is, and each its language", async () => {
      const { store, start, customer, clock, workspaceId } = await openStage(await open());
      const ann = await customer("ann");
      for (let count = 0; count < 3; count += 1) {
        await start(ann);
        clock.advance(1000);
      }
      await start(await customer("bob"));
      const rows = await store.desk.listDeskConversations(workspaceId);
      expect(rows.map((row) => [row.customer.externalId, row.customer.visit, row.customer.locale])).toEqual([
        ["bob", undefined, "en"],
        ["ann", 3, "en"],
        ["ann", 2, "en"],
        ["ann", undefined, "en"],
      ]);
    });
  });

  describe(`the store on ${name}: what the customer asked before`, () => {
    const named = (stage: Stage, id: string) => ({ workspaceId: stage.workspaceId, conversationId: id });

    test("DESK21 has the customer's earlier conversations in pages, newest first, and no one else's", async () => {
      const stage = await openStage(await open());
      const { store, start, say, customer, clock } = stage;
      const [ann, bob] = [await customer("ann"), await customer("bob")];
      const ids: string[] = [];
      for (let at = 0; at < 6; at += 1) {
        const id = await start(ann);
        await say(ann, id, `Question ${at}`);
        ids.push(id);
        await say(bob, await start(bob), "Of somebody else");
        clock.advance(1000);
      }
      // Not the one that is open, and none that came after it.
      const target = named(stage, ids[4] ?? "");
      const first = await store.desk.listEarlier(target, undefined, 3);
      expect(first.conversations.map(({ firstWords }) => firstWords)).toEqual([
        "Question 3",
        "Question 2",
        "Question 1",
      ]);
      const rest = await store.desk.listEarlier(target, first.next, 3);
      expect(rest.conversations).toMatchObject([{ id: ids[0], firstWords: "Question 0" }]);
      expect(rest.next).toBeUndefined();
      // A place of somebody else's list gives no conversation of theirs.
      const foreign = await store.desk.listEarlier(named(stage, ids[0] ?? ""), first.next, 3);
      expect(foreign.conversations.map(({ id }) => id)).toEqual([]);
      const later = await store.desk.listEarlier(named(stage, ids[2] ?? ""), first.next, 9);
      expect(later.conversations.map(({ id }) => id)).toEqual([ids[0]]);
    });

    test("DESK21 a visitor who signed in has the conversations of the customer that the site named", async () => {
      const stage = await openStage(await open());
      const { store, start, say, customer, clock, workspaceId } = stage;
      const [visitor, ann] = [await customer("anon_visitor"), await customer("ann")];
      await say(ann, await start(ann), "As Ann");
      clock.advance(1000);
      const before = await start(visitor);
      clock.advance(1000);
      const id = await start(visitor);
      const earlier = async () =>
        (await store.desk.listEarlier(named(stage, id), undefined, 9)).conversations;
      expect((await earlier()).map((row) => row.id)).toEqual([before]);
      await store.conversations.link(workspaceId, id, { externalId: "anon_visitor", linkedTo: "ann" });
      expect((await earlier()).map(({ firstWords }) => firstWords)).toEqual(["As Ann"]);
    });

    test("DESK21 an erased conversation is in no list, and another workspace has no list of it", async () => {
      const stage = await openStage(await open());
      const { store, start, customer, clock } = stage;
      const ann = await customer("ann");
      const first = await start(ann);
      clock.advance(1000);
      const target = named(stage, await start(ann));
      expect((await store.desk.listEarlier(target, undefined, 9)).conversations).toHaveLength(1);
      await store.erasure.eraseConversation(ann, first);
      expect((await store.desk.listEarlier(target, undefined, 9)).conversations).toEqual([]);
      const other = await store.workspaces.create({ name: "two", publicKey: "pk_two" });
      await expect(
        store.desk.listEarlier({ ...target, workspaceId: other.id }, undefined, 9),
      ).rejects.toMatchObject({ code: "not_found" });
    });
  });

  describe(`the store on ${name}: the page of a customer`, () => {
    test("DESK24 has who they are and all their conversations in pages, newest first, and no one else's", async () => {
      const stage = await openStage(await open());
      const { store, start, say, ask, customer, clock, workspaceId } = stage;
      const [ann, bob] = [await customer("ann"), await customer("bob")];
      const ids: string[] = [];
      for (let at = 0; at < 4; at += 1) {
        const id = await start(ann);
        await say(ann, id, `Question ${at}`);
        ids.unshift(id);
        await say(bob, await start(bob), "Of somebody else");
        clock.advance(1000);
      }
      const [newest = "", answered = ""] = ids;
      await ask(ann, answered);
      const target = { workspaceId, conversationId: answered };
      await store.desk.takeConversation(target, MARIA);
      await store.desk.replyAsHuman(target, MARIA, { clientMessageId: "r1", body: "Here you are" });
      await store.conversations.rate(ann, answered, { score: "up", comment: "Thank you" });
      await store.desk.resolveConversation(target, MARIA);
      await store.customers.setContact(ann, newest, { email: "ann@home.example" });
      const of = { workspaceId, customerId: ann.customerId };
      const first = await store.desk.readCustomer(of, undefined, 3);
      if (!first || !("conversations" in first)) throw new Error("no page");
      expect(first).toMatchObject({
        id: ann.customerId,
        customer: { externalId: "ann", identified: true },
        contact: { email: "ann@home.example" },
      });
      expect(Date.parse(first.lastSeenAt) - Date.parse(first.firstSeenAt)).toBe(3000);
      expect(first.conversations.map(({ id }) => id)).toEqual(ids.slice(0, 3));
      expect(first.conversations.slice(0, 2)).toMatchObject([
        { state: "agent", firstWords: "Question 3", lastWords: "Question 3" },
        {
          state: "ended",
          firstWords: "Question 2",
          lastWords: "Here you are",
          answeredBy: { role: "human", name: "Maria" },
          rating: { score: "up", comment: "Thank you" },
        },
      ]);
      const rest = await store.desk.readCustomer(of, first.next, 3);
      expect(rest).toMatchObject({ conversations: [{ id: ids[3] }] });
      expect(rest).not.toHaveProperty("next.id");
    });

    test("DESK24 an erased customer is reported as erased, and only in their workspace", async () => {
      const { store, start, say, customer, workspaceId } = await openStage(await open());
      const ann = await customer("ann");
      const id = await start(ann);
      await say(ann, id, "My secret");
      const of = { workspaceId, customerId: ann.customerId };
      await store.erasure.eraseConversation(ann, id);
      expect(await store.desk.readCustomer(of, undefined, 3)).toMatchObject({ conversations: [] });
      await store.erasure.eraseCustomer(workspaceId, "ann");
      const left = await store.desk.readCustomer(of, undefined, 3);
      expect(left).toEqual({ id: ann.customerId, erasedAt: expect.any(String) });
      const other = await store.workspaces.create({ name: "two", publicKey: "pk_two" });
      expect(await store.desk.readCustomer({ ...of, workspaceId: other.id }, undefined, 3)).toBeUndefined();
      expect(await store.desk.readCustomer({ ...of, customerId: "cus_none" }, undefined, 3)).toBeUndefined();
    });

    test("DESK24 a visitor has one too; after they signed in, theirs is the customer's", async () => {
      const { store, start, say, customer, workspaceId } = await openStage(await open());
      const [visitor, ann] = [await customer("anon_visitor"), await customer("ann")];
      const id = await start(visitor);
      await say(visitor, id, "Hello");
      const target = { workspaceId, conversationId: id };
      const owner = async () => (await store.desk.readDeskSummary(target))?.customerId;
      expect(await owner()).toBe(visitor.customerId);
      const page = async (customerId: string) =>
        store.desk.readCustomer({ workspaceId, customerId }, undefined, 3);
      expect(await page(visitor.customerId)).toMatchObject({
        customer: { externalId: "anon_visitor", identified: false, locale: "en" },
        conversations: [{ id }],
      });
      await store.conversations.link(workspaceId, id, { externalId: "anon_visitor", linkedTo: "ann" });
      expect(await owner()).toBe(ann.customerId);
      expect(await page(ann.customerId)).toMatchObject({ conversations: [{ id }] });
      expect(await page(visitor.customerId)).toMatchObject({ conversations: [] });
    });
  });
}
