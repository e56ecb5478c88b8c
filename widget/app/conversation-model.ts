import { computed, createModel, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AskedAction } from "../../shared/action.ts";
import type { SessionState } from "../../shared/api/session.ts";
import type { Message } from "../../shared/message.ts";
import { createEmitter, type Emitter } from "../client/emitter.ts";
import { applyErased } from "./apply-own.ts";
import type { BffClient } from "./bff-client.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { createRequests, type RequestState } from "./conversation-requests.ts";
import { doubtFormer, type StartedOver } from "./doubt-former.ts";
import { createEarlierMessages } from "./earlier-messages.ts";
import type { TabMessage } from "./environment.ts";
import { applySnapshot, EMPTY_LOG, isUnanswered, unreadIn } from "./log-state.ts";
import type { Relation, SessionModel } from "./session-model.ts";
import type { StoredDrafts } from "./stored-drafts.ts";
import type { Texts } from "./texts.ts";

export interface ConversationModelDeps {
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  /** The state of the customer's request for a person. */
  readonly handoff: Signal<RequestState>;
  readonly drafts: StoredDrafts;
  readonly tabs: Emitter<TabMessage>;
  readonly isSeen: () => boolean;
}

export type ConversationModel = InstanceType<typeof ConversationModel>;

/** The conversation, and what the customer requests for it as a whole. */
export const ConversationModel = createModel((deps: ConversationModelDeps) => {
  const { client, session, log, handoff, drafts, tabs, isSeen } = deps;
  const { state } = log;
  const unread = signal(0);
  const startedOver = signal<StartedOver | null>(null);
  const expiry = createEmitter<string>();
  let isExpirySaid = true;
  const isErased = signal(false);
  const requests = createRequests({ client, session, log, handoff });
  const earlier = createEarlierMessages({ client, session, log });

  const onAnother = () => {
    requests.onConversationStarted();
    isErased.value = false;
  };
  const doubt = (id: string | undefined, words: (texts: Texts) => string) =>
    doubtFormer({ conversation: { startedOver }, report: log.report }, id, words);
  /** Screen readers hear once that the session has expired, as soon as somebody looks at the panel. */
  const sayExpiry = () => {
    const { conversation, pending } = state.value;
    // Sent again by itself, a message starts the new conversation before anything else is true.
    const isSending = pending.some(({ status }) => status !== "not_confirmed");
    if (isExpirySaid || !isSeen() || (!conversation && isSending)) return;
    isExpirySaid = true;
    if (conversation && session.customer()?.identified) return;
    const key = conversation ? "startedAnew" : "startedOver";
    log.report({ type: "said", isUrgent: false, words: (texts) => texts[key] });
  };
  const take = (answer: SessionState, relation: Relation) => {
    const former = state.value.conversation;
    // A customer who signed in in another tab took the conversation along (IDENT3).
    const isKept = former !== null && former.id === answer.conversation?.id;
    const isFresh = relation === "fresh" && !isKept;
    const left = drafts.restore(answer.customer);
    const asked = isFresh && handoff.value.kind !== "idle" ? handoff.value : left.request;
    const pending = [...left.pending, ...state.value.pending];
    const before = { ...(relation === "same" || isKept ? state.value : EMPTY_LOG), pending };
    if (isFresh) {
      if (former) {
        startedOver.value = { id: former.id, doubts: startedOver.value?.doubts ?? [] };
        isExpirySaid = false;
        expiry.emit(former.id);
      }
      requests.reset(handoff.value.kind === "afterMessage" ? handoff.value : undefined);
    }
    const next = applySnapshot(before, answer.conversation, answer.isLost);
    const isNews = before.conversation !== null && before.conversation.id === next.conversation?.id;
    if (isNews) log.commit(next);
    else {
      log.replace(next);
      if (next.conversation) onAnother();
    }
    // Nobody can read any more whether a person was asked for in the former conversation: the next one asks again.
    if (asked) requests.restore(asked);
    sayExpiry();
    void earlier.settleDoubts(isNews ? before.lastSeq : 0);
  };
  const clear = () => {
    log.replace(EMPTY_LOG);
    requests.reset();
    isErased.value = false;
    unread.value = 0;
    startedOver.value = null;
    isExpirySaid = true;
  };

  expiry.subscribe((former) => {
    if (requests.end.value.kind === "failed") doubt(former, (texts) => texts.endNotConfirmed);
    const isFailed = ({ actionId }: AskedAction) => requests.actions.value.get(actionId)?.kind === "failed";
    if (state.value.actions.some((action) => isUnanswered(action) && isFailed(action)))
      doubt(former, (texts) => texts.actionNotConfirmed);
  });
  session.subscribe((change) => {
    if (change.kind === "cleared") clear();
    else if (change.kind === "started") take(change.answer, change.relation);
  });
  tabs.subscribe((message) => {
    if (message.startsWith("erased ")) log.commit(applyErased(state.value, message.slice("erased ".length)));
  });
  log.subscribe((event) => {
    if (event.type === "message.received") unread.value = isSeen() ? 0 : unread.value + 1;
    if (event.type === "conversation.started") onAnother();
    if (event.type === "conversation.started" || event.type === "message.not_confirmed") sayExpiry();
    if (event.type === "conversation.erased") {
      requests.reset();
      unread.value = 0;
      isErased.value = true;
    }
  });

  return {
    log: state,
    /** Only the conversation itself, so that its readers do not run for each piece of an answer. */
    current: computed(() => state.value.conversation),
    /** The service no longer has it, which does not say that it ended. */
    isLost: computed(() =>
      [requests.end.value, requests.handoff.value].some(
        (request) => request.kind === "failed" && request.failure.code === "no_conversation",
      ),
    ),
    /** Somebody may answer: a session runs, may still begin, or has brought a conversation. */
    isAnswerable: computed(() => session.state.value.kind !== "failed" || state.value.conversation !== null),
    /** Leaves a conversation that the service lost. Messages that were not confirmed stay. */
    leave(): void {
      log.replace({ ...EMPTY_LOG, pending: state.value.pending });
      requests.reset();
      unread.value = 0;
    },
    commit: log.commit,
    earlier,
    unread,
    /** Messages that the service does not report as read, oldest first; empty if it stores no read positions. */
    unreadMessages: (): readonly Message[] => (session.features.value.read ? unreadIn(state.value) : []),
    isErased: isErased as ReadonlySignal<boolean>,
    /** The earlier session has ended, and the conversation that was shown here belonged to it. */
    startedOver,
    sayExpiry,
    /** Calls `listener` with the id of a conversation whose session has expired, while it is still in `log`. */
    onExpiry: expiry.subscribe,
    /** A person is being asked for, has been asked, or is there. */
    isPersonAsked: requests.isPersonAsked,
    suggestion: computed(() => state.value.suggestion),
    handoffRequest: requests.handoff,
    endRequest: requests.end,
    /** The state of the customer's answers to the agent's actions, by `actionId`. Written by `answerAction`. */
    actionRequests: requests.actions,
    requestHuman: requests.requestHuman,
    async end() {
      const id = state.value.conversation?.id;
      const failure = await requests.endConversation();
      if (failure) doubt(id, (texts) => texts.endNotConfirmed);
      return failure;
    },
  };
});
