import { describe, expect, test } from "vitest";
import { MARIA, type OpenedStore, openAsked, openStage } from "./store-stage.ts";

/** The desk's queue, for every driver. */
export function describeQueue(name: string, open: () => Promise<OpenedStore>): void {
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
      const { store, say, ann, id, target, workspaceId } = await openAsked(await open());
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
      const { store, target, desk } = await openAsked(await open());
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
