import type { OnScreen, Outgoing, requestHandoff } from "../../shared/api/conversation.ts";
import type { SessionState } from "../../shared/api/session.ts";
import type { ContactChange } from "../../shared/contact.ts";
import { defined } from "../../shared/defined.ts";
import { Failure } from "../../shared/errors.ts";
import type { FeedbackChange } from "../../shared/feedback.ts";
import type { RequestOf } from "../../shared/operation.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Route } from "../../shared/route.ts";
import { createShareRunning } from "../../shared/server/share-running.ts";
import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import { attachmentContent, attachments } from "../../shared/v1/attachments.ts";
import { setContact } from "../../shared/v1/contacts.ts";
import { eraseConversation } from "../../shared/v1/erasure.ts";
import { giveFeedback } from "../../shared/v1/feedback.ts";
import { listConversations, searchConversations } from "../../shared/v1/history.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { markRead } from "../../shared/v1/reads.ts";
import { proposeSummary, sendSummary } from "../../shared/v1/summaries.ts";
import { tellTyping } from "../../shared/v1/typing.ts";
import { afterErasure, type ConversationPointer, type CurrentConversation } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { isRefused } from "../upstream/failure.ts";
import type { FileUpload } from "../upstream/files.ts";
import type { Operation } from "../upstream/verified.ts";
import { continuePast, end } from "./continuing.ts";
import { type AskedHandoff, askForPerson } from "./handoff.ts";
import { listOwn, readOwn } from "./history.ts";
import type { LinkDeps } from "./link-deps.ts";
import { createEndListener, endLearned, learnLoss } from "./refusal.ts";
import { send } from "./send.ts";
import { offers, type SessionAsk } from "./service.ts";
import { currentPointer, locate, readPage, readSnapshot } from "./snapshot.ts";
import { placeFile, placeMessage } from "./start.ts";

/** The route of the open conversation, or the one that a new conversation would have now. */
function routeNow(pointer: ConversationPointer, session: Session): Route {
  return (pointer.status === "open" ? pointer.route : undefined) ?? session.route;
}

/** @throws Failure no_conversation, or not_confirmed if the customer looks at another conversation than this one */
function requireThere(pointer: ConversationPointer, shown: OnScreen = {}): CurrentConversation {
  if (pointer.status === "none") throw new Failure("no_conversation");
  const { conversationId = pointer.conversationId } = shown;
  if (conversationId === pointer.conversationId) return pointer;
  throw new Failure("not_confirmed", { cause: "another conversation is on the screen" });
}

/**
 * The only way from a route to the conversation of its session's customer. Every function may throw Failure
 * no_conversation, what a call of the service throws, and unavailable or storage_full from the store.
 */
export function createLink(deps: LinkDeps) {
  const { service, pointers, locks } = deps;
  const shareHandoff = createShareRunning<AskedHandoff>();
  const pointerOf = (session: Session) => pointers.read(session.customer.externalId);
  const oneAtATime = <T>(session: Session, work: () => Promise<T>) =>
    locks.run(session.customer.externalId, work);

  const current = async (session: Session, shown?: OnScreen) => requireThere(await pointerOf(session), shown);
  /** @throws Failure conversation_ended */
  async function requireOpen(session: Session, shown?: OnScreen): Promise<CurrentConversation> {
    const pointer = requireThere(await pointerOf(session), shown);
    if (pointer.status === "ended") throw new Failure("conversation_ended");
    return pointer;
  }

  /** Makes a call about one conversation: its id is the only one in the operation's path. */
  const ask = <O extends Operation>(session: Session, operation: O, id: string, request?: RequestOf<O>) =>
    service.call(session, operation, { params: { id }, request } as unknown as SessionAsk<O>);
  const inCurrent = <T>(session: Session, shown: OnScreen, work: (id: string) => Promise<T>) =>
    oneAtATime(session, async () => work((await current(session, shown)).conversationId));
  async function askInOpen<O extends Operation>(session: Session, operation: O, request?: RequestOf<O>) {
    const { conversationId: id } = await requireOpen(session);
    return ask(session, operation, id, request).catch(endLearned(deps, session, id));
  }

  return {
    routeOf: async (session: Session) => routeNow(await pointerOf(session), session),
    snapshot: (session: Session) => readSnapshot(deps, session),

    async readEarlier(session: Session, before: number | undefined) {
      const { conversationId: id } = await current(session);
      const { epoch, log } = await readPage(deps, session, id, before);
      const { messages, marks, actions, nextBefore } = log;
      return { conversation: { id, epoch }, messages, marks, actions, nextBefore };
    },

    /** Lists the customer's own conversations after the page that gave `after`. @throws Failure not_confirmed */
    listOwn: (session: Session, after?: string) =>
      listOwn(deps, session, listConversations, { page: defined({ after }) }),

    /** Lists those of them that contain a text. @throws Failure not_confirmed */
    searchOwn: (session: Session, request: RequestOf<typeof searchConversations>) =>
      listOwn(deps, session, searchConversations, { request }),

    /**
     * Why there is no snapshot: the conversation is lost, or there is none, and perhaps past ones. Those are looked for
     * only while there is no current one, and not mentioned if they can't be known now.
     */
    async absence(session: Session): Promise<Pick<SessionState, "isLost" | "hasPast">> {
      const pointer = await pointerOf(session);
      if (pointer.status !== "none") return { isLost: true };
      const { started, isLost } = pointer;
      const mayHave = session.customer.identified || started > 0;
      if (!mayHave || !offers(session, "history")) return { isLost };
      const found = listOwn(deps, session, listConversations, {});
      const has = await found.then(({ value }) => value.conversations.length > 0).catch(() => false);
      return { isLost, hasPast: has || undefined };
    },

    /** Makes one of them the current conversation, and ends the open one. @throws Failure not_found, conversation_ended */
    continuePast: (session: Session, reference: string) =>
      oneAtATime(session, () => continuePast(deps, session, reference)),

    async readPast(session: Session, reference: string, before: number | undefined) {
      const { log } = await readOwn(deps, session, reference, before);
      const { status, messages, marks, actions, nextBefore } = log;
      return { status, messages, marks, actions, nextBefore };
    },

    /** Sends a message into the open conversation. The hot path: one pointer, one call. */
    async send(session: Session, outgoing: Outgoing) {
      const { conversationId } = await requireOpen(session);
      return await send(deps, session, conversationId, outgoing);
    },

    /** Starts a conversation with its first message; with one open, the message goes there. */
    start: (session: Session, outgoing: Outgoing) =>
      oneAtATime(session, () => placeMessage(deps, session, outgoing)),

    /** Asks for a person. Two requests at once, or a retry after a lost answer, are one hand-off. */
    async requestHandoff(session: Session, asked: RequestOf<typeof requestHandoff>, shown: OnScreen) {
      if (routeNow(await pointerOf(session), session).humanHandoffAdapter === undefined) {
        throw new Failure("handoff_unavailable");
      }
      const key = JSON.stringify([session.customer.externalId, asked, shown]);
      const work = async () => askForPerson(deps, session, await requireOpen(session, shown), asked);
      return shareHandoff(key, () => oneAtATime(session, work));
    },

    /** Proposes a summary for the open hand-off. Takes no lock, because a model may be slow. */
    proposeSummary: (session: Session) => askInOpen(session, proposeSummary),

    /** Sends the team the customer's version of it. */
    sendSummary: (session: Session, request: RequestOf<typeof sendSummary>) =>
      oneAtATime(session, () => askInOpen(session, sendSummary, request)),

    /** Answers an action that the agent asked permission for, once. */
    answerAction: (session: Session, request: RequestOf<typeof actionApprovals>) =>
      oneAtATime(session, () => askInOpen(session, actionApprovals, request)),

    /** Ends the conversation. @throws Failure no_conversation if the service lost it: no end is claimed */
    end: (session: Session, shown: OnScreen) => inCurrent(session, shown, (id) => end(deps, session, id)),

    rate: (session: Session, request: Rating, shown: OnScreen) =>
      inCurrent(session, shown, (id) => ask(session, rateConversation, id, request)),

    giveFeedback: (session: Session, request: FeedbackChange) =>
      inCurrent(session, {}, (id) => ask(session, giveFeedback, id, request)),

    setContact: (session: Session, request: ContactChange, shown: OnScreen) =>
      inCurrent(session, shown, (id) => ask(session, setContact, id, request)),

    markRead: async (session: Session, request: RequestOf<typeof markRead>, shown: OnScreen) =>
      ask(session, markRead, (await current(session, shown)).conversationId, request),

    /** Takes no lock, so that no message ever waits for it. */
    tellTyping: (session: Session) => askInOpen(session, tellTyping, {}),

    /** Erases the conversation. A refusal proves nothing: the conversation stays, and can be erased again. */
    erase: (session: Session, shown: OnScreen) =>
      inCurrent(session, shown, async (id) => {
        const proof = await service.call(session, eraseConversation, { params: { id } });
        await pointers.changeAt(session.customer.externalId, id, afterErasure);
        await currentPointer(deps, session);
        return proof;
      }),

    /** Stores a file for the next message. The lock ends before the file is sent: a slow one must not delay messages. */
    async storeFile(session: Session, upload: FileUpload) {
      const conversationId = await oneAtATime(session, () => placeFile(deps, session));
      let isSent = false;
      try {
        return await service.withToken(session, (token) => {
          // The stream of the file can't be read again, so after a renewed token the panel sends the file again.
          if (isSent) throw new Failure("support_unreachable", { cause: "a file is sent once" });
          isSent = true;
          const given = { params: { id: conversationId }, idempotencyKey: upload.key, file: upload };
          return service.call(session, attachments, { ...given, token });
        });
      } catch (error) {
        throw await learnLoss(deps, { session, conversationId, error });
      }
    },

    /** Opens a file of the conversation, or of the past one that `reference` names. @throws Failure not_found */
    async openFile(session: Session, attachmentId: string, reference: string | undefined) {
      const id =
        reference === undefined
          ? (await current(session)).conversationId
          : await deps.references.open(session.customer.externalId, reference);
      const file = service.open(session, attachmentContent, { params: { id, attachmentId } });
      return file.catch((error: unknown) => {
        throw isRefused(error, 404) ? new Failure("not_found") : error;
      });
    },

    /** How to follow the conversation's events after a position; undefined if the position is gone. */
    async follow(session: Session, lastEventId: string | undefined) {
      const conversation = await current(session);
      const { conversationId } = conversation;
      const start = await locate(deps, session, conversation, lastEventId);
      const connect = (after: number, signal?: AbortSignal) =>
        service.follow(session, conversationId, after, signal);
      const isCurrent = async () => {
        const now = await pointerOf(session);
        return now.status === "none" || now.conversationId === conversationId;
      };
      const onEvent = createEndListener(deps, session, conversationId);
      return start && { ...start, connect, onEvent, isCurrent };
    },
  };
}
