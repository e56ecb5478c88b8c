import { describe, expect, test } from "vitest";
import type { TraitChange } from "../profiles.ts";
import { MARIA, type OpenedStore, openStage } from "./store-stage.ts";

/** Targets of hand-offs, and traits of sources, for every driver. */
export function describeSeams(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}: targets of hand-offs`, () => {
    const openAsked = async () => {
      const stage = await openStage(await open());
      const owner = await stage.customer("ann");
      const conversationId = await stage.start(owner);
      const { handoffs } = stage.store;
      const ask = (ref: string) =>
        handoffs.request(
          owner,
          {
            conversationId,
            reason: undefined,
            currentIntent: undefined,
            transcript: undefined,
            adapter: "mailbox",
            target: ref,
          },
          { key: "h", bodyHash: "h" },
        );
      const asked = await ask("thread-1");
      return { ...stage, asked, ask, handoffs, target: { workspaceId: stage.workspaceId, conversationId } };
    };

    test("a repeated key gets the first hand-off, and its own target is not the one that has the conversation", async () => {
      const { handoffs, asked, ask } = await openAsked();
      expect(await ask("thread-2")).toEqual({ handoff: asked.handoff, created: false });
      expect(await handoffs.findByTarget("mailbox", "thread-2")).toBeUndefined();
    });

    test("a conversation is found by its adapter and the target's own id, and by nothing else", async () => {
      const { handoffs, target } = await openAsked();
      expect(await handoffs.findByTarget("mailbox", "thread-1")).toEqual({ ...target, isOpen: true });
      expect(await handoffs.findByTarget("mailbox", "thread-2")).toBeUndefined();
      expect(await handoffs.findByTarget("desk", "thread-1")).toBeUndefined();
    });

    test("a target has the conversation until the hand-off is returned, and is still found afterwards", async () => {
      const { handoffs, target, store } = await openAsked();
      const open = [{ ...target, adapter: "mailbox", ref: "thread-1" }];
      expect(await handoffs.listOpenTargets("mailbox")).toEqual(open);
      expect(await handoffs.listOpenTargets("desk")).toEqual([]);
      await store.desk.acceptHandoff(target, MARIA);
      expect(await handoffs.listOpenTargets("mailbox")).toEqual(open);
      await store.desk.returnToAgent(target, MARIA);
      expect(await handoffs.listOpenTargets("mailbox")).toEqual([]);
      expect(await handoffs.findByTarget("mailbox", "thread-1")).toEqual({ ...target, isOpen: false });
    });
  });

  describe(`the store on ${name}: traits of sources`, () => {
    test("200 changes have the same result in every order, also when each arrives twice", async () => {
      const changes = Array.from(
        { length: 200 },
        (_, index): TraitChange => ({
          source: "crm",
          externalId: "ann",
          traits: { [`trait${index % 5}`]: index },
          // Some changes share their time, so their ids decide.
          at: Math.floor(index / 3),
          messageId: `m${String(index).padStart(3, "0")}`,
        }),
      );
      const orders = [changes, changes.toReversed(), [...changes, ...changes.toReversed()]];
      const outcomes = await Promise.all(
        orders.map(async (order) => {
          const stage = await openStage(await open());
          for (const change of order) await stage.store.profiles.apply(stage.workspaceId, change);
          const owner = await stage.customer("ann");
          const target = { workspaceId: stage.workspaceId, conversationId: await stage.start(owner) };
          return (await stage.store.desk.readDeskConversation(target))?.customer.traits;
        }),
      );
      expect(Object.keys(outcomes[0] ?? {})).toHaveLength(5);
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[2]).toEqual(outcomes[0]);
    });
  });
}
