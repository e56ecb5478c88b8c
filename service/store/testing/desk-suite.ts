import { describe, expect, test } from "vitest";
import { MARIA, NOOR, type OpenedStore, openAsked, openStage } from "./store-stage.ts";

/** What people of the team do, for every driver. */
export function describeDesk(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}: what people do`, () => {
    test("one person takes it, another learns who has it", async () => {
      const { desk, target } = await openAsked(await open());
      const first = await desk.acceptHandoff(target, MARIA);
      expect(first).toMatchObject({ taken: true, handoff: { status: "accepted", human: { name: "Maria" } } });
      expect(await desk.acceptHandoff(target, MARIA)).toEqual(first);
      expect(await desk.acceptHandoff(target, NOOR)).toEqual({ taken: false, by: MARIA });
    });

    test("when two take it at once, one has it", async () => {
      const { desk, target, ann, id, read } = await openAsked(await open());
      const taken = await Promise.all([desk.acceptHandoff(target, MARIA), desk.acceptHandoff(target, NOOR)]);
      expect(taken.filter((one) => one.taken)).toHaveLength(1);
      expect((await read(ann, id)).lastSeq).toBe(3);
    });

    test("a reply that is sent again is one message; another text is refused", async () => {
      const { desk, target, ann, id, read } = await openAsked(await open());
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
      const { desk, target } = await openAsked(await open());
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
      const { desk, target, ann, id, ask } = await openAsked(await open());
      await desk.acceptHandoff(target, MARIA);
      const returned = await desk.returnToAgent(target, MARIA);
      expect(await desk.returnToAgent(target, MARIA)).toEqual(returned);
      const again = await ask(ann, id);
      expect(again.handoff.id).not.toBe(returned.id);
      expect((await desk.readDeskConversation(target))?.state).toBe("waiting");
      expect((await desk.readDeskConversation(target))?.takenBy).toBeUndefined();
    });

    test("a resolved conversation is shown to the customer as ended by a person", async () => {
      const { desk, target, ann, id, read } = await openAsked(await open());
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

    test("DESK15 DESK11 HAND2 a customer who is taken in the middle of an answer still waits for one", async () => {
      const { store, desk, target, say, ann, id } = await openTalk();
      await say(ann, id, "Where is my lamp?");
      const owed = await store.answers.claim(id, { owner: "test", ms: 1000 });
      if (!owed) throw new Error("No answer is owed.");
      const partial = { id: owed.answerId, role: "agent", body: "It left", incomplete: true } as const;
      await store.answers.renew(owed, 1000, { ...partial, author: { name: "Agent" } });
      await desk.takeConversation(target, MARIA);
      expect((await desk.readDeskConversation(target))?.messages.at(-1)).toMatchObject({ body: "It left" });
      expect((await desk.readDeskSummary(target))?.unansweredSince).toBeDefined();
      await desk.returnToAgent(target, MARIA);
      const again = await store.answers.claim(id, { owner: "test", ms: 1000 });
      expect([again?.turnSeq, again?.answerId === owed.answerId]).toEqual([owed.turnSeq, false]);
    });

    test("HAND2 an answer to an earlier question does not answer the last one, which waits for its own", async () => {
      const { store, desk, target, say, ann, id } = await openTalk();
      const lease = { owner: "test", ms: 1000 };
      const answer = async () => {
        const owed = await store.answers.claim(id, lease);
        if (!owed) throw new Error("No answer is owed.");
        const message = {
          id: owed.answerId,
          role: "agent",
          body: "It left.",
          author: { name: "Agent" },
        } as const;
        await store.answers.finish(owed, 1000, message);
        return owed.turnSeq;
      };
      await say(ann, id, "Where is my lamp?");
      const last = (await say(ann, id, "And my chair?")).message.seq;
      await answer();
      for (const owed of [last, undefined]) {
        await desk.takeConversation(target, MARIA);
        await desk.returnToAgent(target, MARIA);
        expect((await store.answers.claim(id, lease))?.turnSeq).toBe(owed);
        if (owed) await answer();
      }
    });

    test("HAND2 an answer that was cut at its limit, and says so, is not given again after a return", async () => {
      const { store, desk, target, say, ann, id } = await openTalk();
      await say(ann, id, "Where is my lamp?");
      const owed = await store.answers.claim(id, { owner: "test", ms: 1000 });
      if (!owed) throw new Error("No answer is owed.");
      const cut = { role: "agent", body: "It left", incomplete: true, notice: "answer_cut" } as const;
      await store.answers.finish(owed, 1000, { id: owed.answerId, ...cut, author: { name: "Agent" } });
      await desk.takeConversation(target, MARIA);
      await desk.returnToAgent(target, MARIA);
      expect(await store.answers.claim(id, { owner: "test", ms: 1000 })).toBeUndefined();
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

    test("DESK15 a customer who has continued an older conversation sees that one, and it alone can be reopened", async () => {
      const { desk, target, store, start, ann, id, clock } = await openTalk();
      const later = () => clock.advance(1000);
      await store.conversations.end(ann, id);
      later();
      const newer = await start(ann);
      later();
      await store.conversations.end(ann, newer);
      later();
      await store.conversations.reopen(ann, id);
      const reopenNewer = () => desk.reopenConversation({ ...target, conversationId: newer }, MARIA);
      await expect(reopenNewer()).rejects.toMatchObject({ code: "conversation_ended" });
      later();
      await desk.resolveConversation(target, MARIA);
      await expect(reopenNewer()).rejects.toMatchObject({ code: "conversation_ended" });
      expect(await desk.reopenConversation(target, MARIA)).toMatchObject({ status: "accepted" });
    });

    test("DESK15 a conversation stays ended when its customer has begun another one and erased it", async () => {
      const { desk, target, store, start, ann, id, clock } = await openTalk();
      await store.conversations.end(ann, id);
      clock.advance(1000);
      await store.erasure.eraseConversation(ann, await start(ann));
      await expect(desk.reopenConversation(target, MARIA)).rejects.toMatchObject({
        code: "conversation_ended",
      });
      await store.conversations.reopen(ann, id);
      await store.conversations.end(ann, id);
      expect(await desk.reopenConversation(target, MARIA)).toMatchObject({ status: "accepted" });
    });
  });

  describe(`the store on ${name}: what people have read`, () => {
    const readBy = async ({ read, ann, id }: Awaited<ReturnType<typeof openAsked>>) =>
      (await read(ann, id)).conversation.read?.human;

    test("SEEN1 a colleague who reads along is not shown to the customer, only the person who answers", async () => {
      const stage = await openAsked(await open());
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
      const stage = await openAsked(await open());
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
      const { desk, target, say, ann, id, workspaceId } = await openAsked(await open());
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
}
