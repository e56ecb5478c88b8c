import type { Outgoing } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { FeedEvent } from "../../shared/event.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Route } from "../../shared/route.ts";
import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import { attachmentContent } from "../../shared/v1/attachments.ts";
import { endConversation } from "../../shared/v1/conversations.ts";
import { eraseConversation } from "../../shared/v1/erasure.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { markRead } from "../../shared/v1/reads.ts";
import { tellTyping } from "../../shared/v1/typing.ts";
import {
  afterErasure,
  type ConversationPointer,
  type CurrentConversation,
  onlyOf,
} from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { isRefused } from "../upstream/failure.ts";
import type { FileUpload } from "../upstream/files.ts";
import { storeFile } from "../upstream/files.ts";
import { hearEnd, locate } from "./follow.ts";
import { type AskedHandoff, askForPerson } from "./handoff.ts";
import type { LinkDeps } from "./link-deps.ts";
import { learnEnd, learnLoss, noteEnd } from "./refusal.ts";
import { idempotencyKey, send } from "./send.ts";
import { enter, readSnapshot } from "./snapshot.ts";
import { placeFile, placeMessage } from "./start.ts";

export type Link = ReturnType<typeof createLink>;

/** The route of the open conversation, or the one that a new conversation would have now. */
function routeNow(pointer: ConversationPointer, session: Session): Route {
  return (pointer.status === "open" ? pointer.route : undefined) ?? session.route;
}

/**
 * The only way from a route to the conversation of its session's customer. Every function may throw Failure
 * no_conversation, what a call of the service throws, and unavailable or storage_full of the store.
 */
export function createLink(deps: LinkDeps) {
  const { service, pointers, locks } = deps;
  const handoffs = new Map<string, Promise<AskedHandoff>>();
  const pointerOf = (session: Session) => pointers.read(session.customer.externalId);
  const alone = <T>(session: Session, work: () => Promise<T>) => locks.run(session.customer.externalId, work);

  async function current(session: Session): Promise<CurrentConversation> {
    const pointer = await pointerOf(session);
    if (pointer.status === "none") throw new Failure("no_conversation");
    return pointer;
  }
  /** @throws Failure conversation_ended */
  async function requireOpen(session: Session): Promise<CurrentConversation> {
    const pointer = await current(session);
    if (pointer.status === "ended") throw new Failure("conversation_ended");
    return pointer;
  }
  const endLearned = (session: Session, conversationId: string) => async (error: unknown) => {
    throw await learnEnd(deps, { session, conversationId, error });
  };

  return {
    routeOf: async (session: Session) => routeNow(await pointerOf(session), session),
    snapshot: (session: Session) => readSnapshot(deps, session),

    /** Sends a message into the open conversation. The hot path: one pointer, one call. */
    async send(session: Session, outgoing: Outgoing) {
      const { conversationId } = await requireOpen(session);
      return send(deps, session, conversationId, outgoing);
    },

    /** Starts a conversation with its first message; with one open, the message goes there. */
    start: (session: Session, outgoing: Outgoing) =>
      alone(session, () => placeMessage(deps, session, outgoing)),

    /** Asks for a person. Two requests at once, or a retry after a lost answer, are one hand-off. */
    async requestHandoff(
      session: Session,
      asked: { reason?: string | undefined; summary?: string | undefined },
    ) {
      const { externalId } = session.customer;
      if (routeNow(await pointerOf(session), session).humanHandoffAdapter === undefined) {
        throw new Failure("handoff_unavailable");
      }
      const key = idempotencyKey(externalId, asked.reason, asked.summary);
      const known = handoffs.get(key);
      if (known) return known;
      const running = alone(session, async () =>
        askForPerson(deps, session, await requireOpen(session), asked),
      ).finally(() => handoffs.delete(key));
      handoffs.set(key, running);
      return running;
    },

    /** Answers an action that the agent asked permission for, once. */
    answerAction: (session: Session, request: { readonly actionId: string; readonly approved: boolean }) =>
      alone(session, async () => {
        const { conversationId: id } = await requireOpen(session);
        return service
          .call(session, actionApprovals, { params: { id }, request })
          .catch(endLearned(session, id));
      }),

    /** Ends the conversation. */
    end: (session: Session) =>
      alone(session, async () => {
        const { conversationId: id } = await current(session);
        const proof = await service.call(session, endConversation, { params: { id } });
        await noteEnd(pointers, session.customer.externalId, id);
        return { id, proof };
      }),

    rate: (session: Session, request: Rating) =>
      alone(session, async () => {
        const { conversationId: id } = await current(session);
        const proof = await service.call(session, rateConversation, { params: { id }, request });
        const { score, comment } = proof.value.rating;
        return { rating: comment === undefined ? { score } : { score, comment }, proof };
      }),

    async markRead(session: Session, seq: number) {
      const { conversationId: id } = await current(session);
      return service.call(session, markRead, { params: { id }, request: { seq } });
    },

    /** Takes no lock, so that no message ever waits for it. */
    async tellTyping(session: Session) {
      const { conversationId: id } = await requireOpen(session);
      return service
        .call(session, tellTyping, { params: { id }, request: {} })
        .catch(endLearned(session, id));
    },

    /** Erases the conversation. Whatever a refusal says proves nothing: the conversation stays, to be erased again. */
    erase: (session: Session) =>
      alone(session, async () => {
        const { conversationId: id } = await current(session);
        const proof = await service.call(session, eraseConversation, { params: { id } });
        await pointers.change(session.customer.externalId, onlyOf(id, afterErasure));
        await enter(deps, session);
        return proof;
      }),

    /** Stores a file for the next message. The lock ends before the file is sent: a slow one must not delay messages. */
    async storeFile(session: Session, upload: FileUpload) {
      const conversationId = await alone(session, () => placeFile(deps, session));
      let isSent = false;
      try {
        return await service.withToken(session, (token) => {
          // The stream of the file can't be read again: with a new token the panel sends it again.
          if (isSent) throw new Failure("support_unreachable", { cause: "a file is sent once" });
          isSent = true;
          return storeFile(deps.upstream, { token, conversationId, upload });
        });
      } catch (error) {
        throw await learnLoss(deps, { session, conversationId, error }, undefined);
      }
    },

    /** Opens a file of the conversation. @throws Failure not_found */
    async openFile(session: Session, attachmentId: string, signal: AbortSignal) {
      const { conversationId: id } = await current(session);
      try {
        return await service.open(session, attachmentContent, { params: { id, attachmentId } }, signal);
      } catch (error) {
        throw isRefused(error, 404) ? new Failure("not_found") : error;
      }
    },

    /** How to follow the conversation's events after a position; undefined where the position is gone. */
    async follow(session: Session, lastEventId: string | undefined) {
      const conversation = await current(session);
      const { conversationId } = conversation;
      const start = await locate(deps, session, conversation, lastEventId);
      return (
        start && {
          ...start,
          connect: (after: number, signal: AbortSignal) =>
            service.follow(session, conversationId, after, signal),
          onEvent: (event: FeedEvent) => hearEnd(deps, session, conversationId, event),
        }
      );
    },
  };
}
