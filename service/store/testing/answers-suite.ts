import { describe, expect, test } from "vitest";
import type { NewAnswer } from "../answers.ts";
import { type OpenedStore, openStage } from "./store-stage.ts";

const A = { owner: "process a", ms: 1000 };
const B = { owner: "process b", ms: 1000 };
const answer = (id: string, body: string): NewAnswer => ({
  id,
  role: "agent",
  body,
  author: { name: "Agent" },
});

/** Leases on answers, for every driver. */
export function describeAnswers(name: string, open: () => Promise<OpenedStore>): void {
  const openOwed = async (turns = 1) => {
    const stage = await openStage(await open());
    const owner = await stage.customer("ann");
    const id = await stage.start(owner);
    for (let turn = 0; turn < turns; turn += 1) {
      await stage.store.conversations.addTurn(owner, id, {
        clientMessageId: `k${turn}`,
        body: `Question ${turn}`,
        lease: A,
      });
    }
    const bodies = async () => (await stage.read(owner, id)).messages.map(({ body }) => body);
    return { ...stage, answers: stage.store.answers, owner, id, bodies };
  };

  describe(`the store on ${name}: answers`, () => {
    test("the process that stores a turn has the lease of its answer; no other claims it before it expires", async () => {
      const { answers, id, clock } = await openOwed();
      expect(await answers.claim(id, A)).toMatchObject({ owner: A.owner, fence: 1 });
      expect(await answers.claim(id, B)).toBeUndefined();
      clock.advance(1000);
      expect(await answers.findUnleased()).toEqual([id]);
      expect(await answers.claim(id, B)).toMatchObject({ owner: B.owner, fence: 2 });
    });

    test("when many claim an expired lease at once, exactly one gets it", async () => {
      const { answers, id, clock } = await openOwed();
      clock.advance(1000);
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, at) => answers.claim(id, { owner: `process ${at}`, ms: 1000 })),
      );
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });

    test("a lost lease stores and appends nothing, not even for the same owner with an older fence", async () => {
      const { answers, id, clock, bodies } = await openOwed();
      const first = await answers.claim(id, A);
      if (!first) throw new Error("There is no lease.");
      clock.advance(1000);
      await answers.claim(id, B);
      clock.advance(1000);
      const again = await answers.claim(id, A);
      expect(again).toMatchObject({ fence: 3, partial: undefined });
      expect(await answers.renew(first, 1000, answer(first.answerId, "Late"))).toBe(false);
      expect(await answers.finish(first, 1000, answer(first.answerId, "Late"))).toBeUndefined();
      if (!again) throw new Error("There is no lease.");
      await answers.finish(again, 1000, answer(again.answerId, "In time"));
      expect(await answers.finish(again, 1000, answer(again.answerId, "Twice"))).toBeUndefined();
      expect(await bodies()).toEqual(["Question 0", "In time"]);
    });

    test("answers of one conversation are owed in the order of the turns, and each one's end leases the next", async () => {
      const { answers, id } = await openOwed(2);
      const first = await answers.claim(id, A);
      if (!first) throw new Error("There is no lease.");
      expect(first.messages.map(({ body }) => body)).toEqual(["Question 0"]);
      await answers.finish(first, 1000, answer(first.answerId, "Answer 0"));
      expect(await answers.claim(id, B)).toBeUndefined();
      const second = await answers.claim(id, A);
      expect(second?.messages.map(({ body }) => body)).toEqual(["Question 0", "Answer 0", "Question 1"]);
    });

    test("what was shown is passed to the next process, and appended by a hand-off and by the end", async () => {
      for (const closing of ["take over", "hand-off", "end"] as const) {
        const { answers, store, ask, owner, id, clock, bodies } = await openOwed();
        const lease = await answers.claim(id, A);
        if (!lease) throw new Error("There is no lease.");
        expect(await answers.renew(lease, 1000, answer(lease.answerId, "Half an ans"))).toBe(true);
        if (closing === "take over") {
          clock.advance(1000);
          expect((await answers.claim(id, B))?.partial).toMatchObject({ body: "Half an ans" });
          continue;
        }
        if (closing === "hand-off") await ask(owner, id);
        else await store.conversations.end(owner, id);
        expect(await bodies()).toEqual(["Question 0", "Half an ans"]);
        expect(await answers.isPending(id, lease.turnSeq)).toBe(false);
        expect(await answers.finish(lease, 1000, answer(lease.answerId, "Late"))).toBeUndefined();
      }
    });

    test("a released lease is free immediately, and its answer starts over", async () => {
      const { answers, id } = await openOwed();
      const lease = await answers.claim(id, A);
      if (!lease) throw new Error("There is no lease.");
      await answers.renew(lease, 1000, answer(lease.answerId, "Half"));
      await answers.release(A.owner);
      expect(await answers.claim(id, B)).toMatchObject({ fence: 2, partial: undefined });
    });

    test("in a long conversation the agent gets the newest messages, with the question last", async () => {
      const { answers, say, ask, store, owner, id, workspaceId } = await openOwed();
      await ask(owner, id);
      for (let at = 0; at < 60; at += 1) await say(owner, id, `Message ${at}`);
      const target = { workspaceId, conversationId: id };
      const person = { id: "user_maria", name: "Maria" };
      await store.desk.acceptHandoff(target, person);
      await store.desk.returnToAgent(target, person);
      const messages = (await answers.claim(id, A))?.messages ?? [];
      expect(messages.length).toBeLessThanOrEqual(40);
      expect(messages.slice(-2).map(({ body }) => body)).toEqual(["Message 58", "Message 59"]);
    });
  });
}
