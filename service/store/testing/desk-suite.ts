import { describe, expect, test } from "vitest";
import { MARIA, NOOR, type OpenedStore, openStage, ROUTE, type Stage } from "./store-stage.ts";

/** What people of the team do, for every driver. */
export function describeDesk(name: string, open: () => Promise<OpenedStore>): void {
  const openAsked = async () => {
    const stage = await openStage(await open());
    const ann = await stage.customer("ann");
    const id = await stage.start(ann);
    await stage.ask(ann, id);
    const target = { workspaceId: stage.workspaceId, conversationId: id };
    return { ...stage, ann, id, target, desk: stage.store.desk };
  };

  describe(`the store on ${name}: what people do`, () => {
    test("one person takes it, another learns who has it", async () => {
      const { desk, target } = await openAsked();
      const first = await desk.acceptHandoff(target, MARIA);
      expect(first).toMatchObject({ taken: true, handoff: { status: "accepted", human: { name: "Maria" } } });
      expect(await desk.acceptHandoff(target, MARIA)).toEqual(first);
      expect(await desk.acceptHandoff(target, NOOR)).toEqual({ taken: false, by: MARIA });
    });

    test("when two take it at once, one has it", async () => {
      const { desk, target, ann, id, read } = await openAsked();
      const taken = await Promise.all([desk.acceptHandoff(target, MARIA), desk.acceptHandoff(target, NOOR)]);
      expect(taken.filter((one) => one.taken)).toHaveLength(1);
      expect((await read(ann, id)).lastSeq).toBe(3);
    });

    test("a reply that is sent again is one message; another text is refused", async () => {
      const { desk, target, ann, id, read } = await openAsked();
      await desk.acceptHandoff(target, MARIA);
      const reply = { clientMessageId: "r1", body: "Hello Ann" };
      const first = await desk.replyAsHuman(target, MARIA, reply);
      expect(await desk.replyAsHuman(target, MARIA, reply)).toEqual(first);
      await expect(desk.replyAsHuman(target, MARIA, { ...reply, body: "x" })).rejects.toMatchObject({
        code: "key_reused",
      });
      expect((await read(ann, id)).messages).toMatchObject([
        { role: "human", body: "Hello Ann", author: { name: "Maria" } },
      ]);
    });

    test("DESK2 only the person who took it can reply, return or resolve", async () => {
      const { desk, target } = await openAsked();
      const reply = { clientMessageId: "r1", body: "Hello" };
      await expect(desk.replyAsHuman(target, MARIA, reply)).rejects.toMatchObject({ code: "forbidden" });
      await desk.acceptHandoff(target, MARIA);
      await expect(desk.replyAsHuman(target, NOOR, reply)).rejects.toMatchObject({ code: "forbidden" });
      await expect(desk.returnToAgent(target, NOOR)).rejects.toMatchObject({ code: "forbidden" });
      await expect(desk.resolveConversation(target, NOOR)).rejects.toMatchObject({ code: "forbidden" });
    });

    test("a conversation in which nobody asked for a person can't be taken", async () => {
      const { store, start, customer, workspaceId } = await openStage(await open());
      const target = { workspaceId, conversationId: await start(await customer("ann")) };
      await expect(store.desk.acceptHandoff(target, MARIA)).rejects.toMatchObject({
        code: "handoff_unavailable",
      });
    });

    test("after the return a customer may ask again, which is another handoff", async () => {
      const { desk, target, ann, id, ask } = await openAsked();
      await desk.acceptHandoff(target, MARIA);
      const returned = await desk.returnToAgent(target, MARIA);
      expect(await desk.returnToAgent(target, MARIA)).toEqual(returned);
      const again = await ask(ann, id);
      expect(again.handoff.id).not.toBe(returned.id);
      expect((await desk.readDeskConversation(target))?.state).toBe("waiting");
      expect((await desk.readDeskConversation(target))?.takenBy).toBeUndefined();
    });

    test("a resolved conversation is shown to the customer as ended by a person", async () => {
      const { desk, target, ann, id, read } = await openAsked();
      await desk.acceptHandoff(target, MARIA);
      const ended = await desk.resolveConversation(target, MARIA);
      expect(await desk.resolveConversation(target, MARIA)).toEqual(ended);
      expect((await read(ann, id)).conversation.status).toBe("ended");
      await expect(desk.acceptHandoff(target, MARIA)).rejects.toMatchObject({ code: "conversation_ended" });
      expect((await desk.readDeskConversation(target))?.events?.at(-1)).toMatchObject({
        type: "conversation.ended",
        by: "human",
      });
    });
  });

  describe(`the store on ${name}: who takes it unasked, and who opens it again`, () => {
    const openTalk = async () => {
      const stage = await openStage(await open());
      const ann = await stage.customer("ann");
      const id = await stage.start(ann);
      const target = { workspaceId: stage.workspaceId, conversationId: id };
      const types = async () => (await stage.log(ann, id)).map(({ type }) => type);
      return { ...stage, ann, id, target, desk: stage.store.desk, types };
    };

    test("DESK15 a person takes a conversation from the agent, whose owed answer is dropped", async () => {
      const { store, desk, target, say, ann, id, types, read } = await openTalk();
      await say(ann, id, "Where is my lamp?");
      const first = await desk.takeConversation(target, MARIA);
      expect(first).toMatchObject({ taken: true, handoff: { status: "accepted", human: { name: "Maria" } } });
      expect(await desk.takeConversation(target, MARIA)).toEqual(first);
      expect(await desk.takeConversation(target, NOOR)).toEqual({ taken: false, by: MARIA });
      expect(await store.answers.claim(id, { owner: "test", ms: 1000 })).toBeUndefined();
      expect(await types()).toEqual(["conversation.started", "message.created", "handoff.accepted"]);
      expect((await read(ann, id)).conversation.handoff).toMatchObject({ human: { name: "Maria" } });
      expect((await say(ann, id, "And now?")).answerId).toBeUndefined();
      const returned = await desk.returnToAgent(target, MARIA);
      expect(returned.status).toBe("returned");
      expect((await desk.takeConversation(target, NOOR)).taken).toBe(true);
    });

    test("DESK15 DESK11 a customer who is taken in the middle of an answer still waits for one", async () => {
      const { store, desk, target, say, ann, id } = await openTalk();
      await say(ann, id, "Where is my lamp?");
      const owed = await store.answers.claim(id, { owner: "test", ms: 1000 });
      if (!owed) throw new Error("No answer is owed.");
      const partial = { id: owed.answerId, role: "agent", body: "It left", incomplete: true } as const;
      await store.answers.renew(owed, 1000, { ...partial, author: { name: "Agent" } });
      await desk.takeConversation(target, MARIA);
      expect((await desk.readDeskConversation(target))?.messages.at(-1)).toMatchObject({ body: "It left" });
      expect((await desk.readDeskSummary(target))?.unansweredSince).toBeDefined();
    });

    test("DESK15 when two take it from the agent at once, one has it", async () => {
      const { desk, target, types } = await openTalk();
      const taken = await Promise.all([
        desk.takeConversation(target, MARIA),
        desk.takeConversation(target, NOOR),
      ]);
      expect(taken.filter((one) => one.taken)).toHaveLength(1);
      expect(await types()).toEqual(["conversation.started", "handoff.accepted"]);
    });

    test("DESK15 a person who joins unasked does not count in the median wait", async () => {
      const { store, start, customer, ask, clock, workspaceId } = await openStage(await open());
      const wait = async (isAsked: boolean, who: string) => {
        const owner = await customer(who);
        const target = { workspaceId, conversationId: await start(owner) };
        if (isAsked) await ask(owner, target.conversationId);
        if (isAsked) clock.advance(60_000);
        await store.desk.takeConversation(target, MARIA);
        clock.advance(1000);
        await store.desk.replyAsHuman(target, MARIA, { clientMessageId: "1", body: "Hello" });
      };
      for (let count = 0; count < 5; count += 1) await wait(true, `asked-${count}`);
      for (let count = 0; count < 20; count += 1) await wait(false, `unasked-${count}`);
      const ann = await customer("ann");
      const id = await start(ann);
      await ask(ann, id);
      expect((await store.handoffs.readWait(ann, id))?.usualSeconds).toBe(61);
    });

    test("DESK15 a person who opens a conversation again has it, once, and the customer reads who joined", async () => {
      const { desk, target, say, ann, id, types, read } = await openTalk();
      await say(ann, id, "Where is my lamp?");
      await desk.takeConversation(target, MARIA);
      await desk.resolveConversation(target, MARIA);
      const handoff = await desk.reopenConversation(target, NOOR);
      expect(handoff).toMatchObject({ status: "accepted", human: { name: "Noor" } });
      expect(await desk.reopenConversation(target, NOOR)).toEqual(handoff);
      await expect(desk.reopenConversation(target, MARIA)).rejects.toMatchObject({
        code: "handoff_unavailable",
      });
      expect((await types()).slice(-3)).toEqual([
        "conversation.ended",
        "conversation.reopened",
        "handoff.accepted",
      ]);
      const { conversation, marks } = await read(ann, id);
      expect(conversation).toMatchObject({ status: "open", handoff: { human: { name: "Noor" } } });
      expect(marks.map(({ type }) => type)).toEqual([
        "handoff.accepted",
        "conversation.ended",
        "handoff.accepted",
      ]);
      await desk.replyAsHuman(target, NOOR, { clientMessageId: "r1", body: "One more thing" });
    });

    test("DESK15 a conversation stays ended when its customer has begun another one, and would not see it", async () => {
      const { desk, target, start, ann, clock, types } = await openTalk();
      await desk.takeConversation(target, MARIA);
      await desk.resolveConversation(target, MARIA);
      clock.advance(1000);
      await start(ann);
      await expect(desk.reopenConversation(target, MARIA)).rejects.toMatchObject({
        code: "conversation_ended",
      });
      expect((await types()).at(-1)).toBe("conversation.ended");
    });
  });

  describe(`the store on ${name}: what people have read`, () => {
    const readBy = async ({ read, ann, id }: Awaited<ReturnType<typeof openAsked>>) =>
      (await read(ann, id)).conversation.read?.human;

    test("SEEN1 a colleague who reads along is not shown to the customer, only the person who answers", async () => {
      const stage = await openAsked();
      const { desk, target, say, ann, id } = stage;
      const { message } = await say(ann, id, "Where is my lamp?");
      expect(await desk.markReadByHuman(target, NOOR, message.seq)).toBe(message.seq);
      await desk.acceptHandoff(target, MARIA);
      await desk.markReadByHuman(target, NOOR, message.seq);
      expect(await readBy(stage)).toBeUndefined();
      await desk.markReadByHuman(target, MARIA, message.seq);
      expect(await readBy(stage)).toBe(message.seq);
    });

    test("SEEN1 what a person saw before they took it counts once they took it, and only moves forward", async () => {
      const stage = await openAsked();
      const { desk, target, say, ann, id } = stage;
      const { message } = await say(ann, id, "Where is my lamp?");
      await desk.markReadByHuman(target, MARIA, message.seq);
      expect(await readBy(stage)).toBeUndefined();
      await desk.acceptHandoff(target, MARIA);
      expect(await readBy(stage)).toBe(message.seq);
      expect(await desk.markReadByHuman(target, MARIA, 1)).toBe(message.seq);
      expect(await readBy(stage)).toBe(message.seq);
    });

    test("DESK11 each person's position is their own, and never beyond the log", async () => {
      const { desk, target, say, ann, id, workspaceId } = await openAsked();
      const { message } = await say(ann, id, "Where is my lamp?");
      expect(await desk.markReadByHuman(target, NOOR, 1000)).toBe(message.seq);
      expect(await desk.readDeskSummary(target, NOOR.id)).toMatchObject({
        customerSeq: message.seq,
        seenSeq: message.seq,
      });
      expect(await desk.listDeskConversations(workspaceId, undefined, MARIA.id)).toMatchObject([
        { customerSeq: message.seq, seenSeq: 0 },
      ]);
      expect((await desk.readDeskConversation(target, MARIA.id))?.seenSeq).toBe(0);
    });
  });

  describe(`the store on ${name}: who the customer is`, () => {
    test("DESK14 what the team typed is in the customer's export, and is erased with their last conversation", async () => {
      const { store, desk, target, ann, id, workspaceId } = await openAsked();
      await desk.describeCustomer(target, NOOR, { name: "Ann from Bern", email: "ann@bern.example" });
      const exported = async () => (await store.erasure.exportCustomer(workspaceId, "ann")).customer;
      expect(await exported()).toMatchObject({ teamName: "Ann from Bern", teamEmail: "ann@bern.example" });
      await store.erasure.eraseConversation(ann, id);
      expect(await exported()).toMatchObject({ teamName: null, teamEmail: null });
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

  describe(`the store on ${name}: the queue`, () => {
    test("DESK22 lists where the team decides, the longest wait first, until it is answered or the conversation ends", async () => {
      const t = await openStage(await open());
      const asked = async (who: string, confirm: "customer" | "person") => {
        const owner = await t.customer(who);
        const id = await t.start(owner);
        await t.say(owner, id, "Refund my order");
        const owed = await t.store.answers.claim(id, { owner: "test", ms: 1000 });
        if (!owed) throw new Error("No answer is owed.");
        const card = { tool: "refund", definition: "1", title: "Refund", arguments: [], input: {}, confirm };
        const answer = { id: owed.answerId, role: "agent", body: "Shall I?" } as const;
        await t.store.answers.finish(owed, 1000, answer, {
          actions: [{ ...card, validMs: 60_000 }],
          made: () => undefined,
        });
        t.clock.advance(1000);
        const events = await t.log(owner, id);
        const request = events.find(({ type }) => type === "action.requested");
        if (request?.type !== "action.requested") throw new Error("No card.");
        return {
          owner,
          conversationId: id,
          request,
          target: { workspaceId: t.workspaceId, conversationId: id },
        };
      };
      const listed = async () => (await t.store.desk.listDecisions(t.workspaceId)).map(({ id }) => id);
      await asked("own", "customer");
      const [first, second] = [await asked("first", "person"), await asked("second", "person")];
      expect(await listed()).toEqual([first.conversationId, second.conversationId]);
      const { seq, at: since, action } = first.request;
      expect((await t.store.desk.readDeskSummary(first.target))?.decision).toEqual({ seq, since });
      await t.store.actions.answerAsPerson(
        first.target,
        MARIA,
        { actionId: action.actionId, approved: false },
        { owner: "test", ms: 1000 },
      );
      expect(await listed()).toEqual([second.conversationId]);
      await t.store.conversations.end(second.owner, second.conversationId);
      expect(await listed()).toEqual([]);
      expect((await t.store.desk.readDeskSummary(second.target))?.decision).toBeUndefined();
    });

    test("DESK11 a taken conversation has the customer first who waits longest for an answer", async () => {
      const t = await openStage(await open());
      const rows = async () =>
        (await t.store.desk.listDeskConversations(t.workspaceId)).map((row) => [
          row.customer.externalId,
          row.unansweredSince !== undefined,
        ]);
      const targets = new Map<string, { workspaceId: string; conversationId: string }>();
      for (const who of ["first", "second", "third"]) {
        const owner = await t.customer(who);
        const conversationId = await t.start(owner);
        t.clock.advance(1000);
        await t.ask(owner, conversationId);
        targets.set(who, { workspaceId: t.workspaceId, conversationId });
      }
      const at = (who: string) => targets.get(who) as { workspaceId: string; conversationId: string };
      const say = async (who: string) => t.say(await t.customer(who), at(who).conversationId, "Hello?");
      const reply = (who: string, key: string) =>
        t.store.desk.replyAsHuman(at(who), MARIA, { clientMessageId: key, body: "Hello" });
      for (const who of ["third", "second", "first"]) await t.store.desk.acceptHandoff(at(who), MARIA);
      expect(await rows()).toEqual([
        ["first", true],
        ["second", true],
        ["third", true],
      ]);
      t.clock.advance(1000);
      for (const who of ["first", "second", "third"]) {
        t.clock.advance(1000);
        await reply(who, "r1");
      }
      expect(await rows()).toEqual([
        ["third", false],
        ["second", false],
        ["first", false],
      ]);
      t.clock.advance(1000);
      await say("second");
      t.clock.advance(1000);
      await say("first");
      t.clock.advance(1000);
      await say("second");
      expect(await rows()).toEqual([
        ["second", true],
        ["first", true],
        ["third", false],
      ]);
    });

    test("has the longest wait first, then taken, then with the agent, then ended", async () => {
      const t = await openStage(await open());
      const ids = new Map<string, string>();
      for (const who of ["agent", "ended", "late", "early", "taken"]) {
        t.clock.advance(1000);
        ids.set(who, await t.start(await t.customer(who)));
      }
      for (const who of ["taken", "early", "late"]) {
        t.clock.advance(1000);
        await t.ask(await t.customer(who), ids.get(who) ?? "");
      }
      const target = (who: string) => ({ workspaceId: t.workspaceId, conversationId: ids.get(who) ?? "" });
      await t.store.desk.acceptHandoff(target("taken"), MARIA);
      await t.store.desk.resolveConversation(target("ended"), MARIA);
      const queue = await t.store.desk.listDeskConversations(t.workspaceId);
      expect(queue.map(({ customer }) => customer.externalId)).toEqual([
        "early",
        "late",
        "taken",
        "agent",
        "ended",
      ]);
      expect(queue.map(({ state }) => state)).toEqual(["waiting", "waiting", "taken", "agent", "ended"]);
      expect(queue[2]?.takenBy).toEqual(MARIA);
    });

    test("shows what people wrote last, not the agent's answer to it", async () => {
      const { store, say, ann, id, target, workspaceId } = await openAsked();
      const preview = async () => (await store.desk.listDeskConversations(workspaceId))[0]?.preview;
      await say(ann, id, "Is anybody  there?");
      expect(await preview()).toBe("Is anybody there?");
      await store.desk.acceptHandoff(target, MARIA);
      await store.desk.replyAsHuman(target, MARIA, { clientMessageId: "r1", body: "I am here." });
      expect(await preview()).toBe("I am here.");
      await store.desk.returnToAgent(target, MARIA);
      await say(ann, id, "And now?");
      const owed = await store.answers.claim(id, { owner: "test", ms: 1000 });
      if (!owed) throw new Error("No answer is owed.");
      await store.answers.finish(owed, 1000, { id: owed.answerId, role: "agent", body: "An answer." });
      expect(await preview()).toBe("And now?");
    });

    test("never shows a workspace the conversations of another", async () => {
      const { store, target, desk } = await openAsked();
      const other = await store.workspaces.create({ name: "two", publicKey: "pk_two" });
      const foreign = { ...target, workspaceId: other.id };
      expect(await desk.listDeskConversations(other.id)).toEqual([]);
      expect(await desk.readDeskSummary(foreign)).toBeUndefined();
      const acts = await Promise.allSettled([
        desk.acceptHandoff(foreign, MARIA),
        desk.replyAsHuman(foreign, MARIA, { clientMessageId: "k", body: "x" }),
        desk.returnToAgent(foreign, MARIA),
        desk.resolveConversation(foreign, MARIA),
      ]);
      for (const act of acts) {
        expect(act).toMatchObject({ status: "rejected", reason: { code: "not_found" } });
      }
    });
  });
}
