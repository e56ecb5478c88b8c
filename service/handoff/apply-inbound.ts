import { Failure, type FailureCode } from "../../shared/errors.ts";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import type { Log } from "../../shared/server/log.ts";
import { plainText } from "../../shared/text.ts";
import type { Answers } from "../answers/answers.ts";
import { sha256 } from "../ids.ts";
import type { DeskTarget, Person } from "../store/desk.ts";
import type { Store } from "../store/store.ts";
import type { InboundEvent } from "./adapter.ts";

/** Applies one event of a target to its conversation. @throws Failure `unavailable`, `storage_full` */
export type ApplyInbound = (adapter: string, event: InboundEvent) => Promise<void>;

const Body = plainText(MAX_ANSWER_CODE_POINTS);
const MAX_NAME = 200;

/** Failures of the store that a retry would get again. */
const FINAL: ReadonlySet<FailureCode> = new Set([
  "not_found",
  "conversation_ended",
  "handoff_unavailable",
  "forbidden",
  "key_reused",
]);

/**
 * People at a target do what people at the desk do: take a conversation, answer it, give it back, resolve it. All
 * people of one target are one person to the store, so that a colleague can continue there; each message has its own
 * name.
 */
export function createApplyInbound(deps: {
  readonly store: Pick<Store, "handoffs" | "desk">;
  readonly answers: Pick<Answers, "interrupting" | "wake">;
  readonly log: Log;
}): ApplyInbound {
  const { store, answers, log } = deps;
  const apply = async (target: DeskTarget, person: Person, event: InboundEvent): Promise<void> => {
    switch (event.type) {
      case "joined":
        await store.desk.acceptHandoff(target, person);
        return;
      case "message": {
        // A person who answers has joined, even if the target has not reported it before.
        await store.desk.acceptHandoff(target, person);
        const clientMessageId = sha256(JSON.stringify([event.ref, event.id]));
        await store.desk.replyAsHuman(target, person, { clientMessageId, body: Body.parse(event.body) });
        return;
      }
      case "returned":
        // Before anybody has joined, nobody hands back: the customer reads that nobody was available.
        if (!(await store.handoffs.decline(target))) await store.desk.returnToAgent(target, person);
        answers.wake(target.conversationId);
        return;
      case "resolved":
        await answers.interrupting(target.conversationId, () =>
          store.desk.resolveConversation(target, person),
        );
        return;
    }
  };
  return async (adapter, event) => {
    const facts = { adapter, type: event.type };
    const target = await store.handoffs.findByTarget(adapter, event.ref);
    const name = event.person.name.trim().slice(0, MAX_NAME).toWellFormed();
    if (!target || name === "" || (event.type === "message" && !Body.safeParse(event.body).success)) {
      log.warn(facts, "an event of a handoff target could not be applied");
      return;
    }
    if (!target.isOpen) {
      const { conversationId } = target;
      log.info(
        { ...facts, conversationId },
        "an event for a hand-off that is over was ignored; it may be a repeated one",
      );
      return;
    }
    try {
      await apply(target, { id: `handoff:${adapter}`, name }, event);
    } catch (error) {
      if (!(error instanceof Failure) || !FINAL.has(error.code)) throw error;
      log.warn(
        { ...facts, code: error.code, conversationId: target.conversationId },
        "an event of a handoff target came too late",
      );
    }
  };
}
