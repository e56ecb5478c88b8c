import { computed, createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { SessionState } from "../../shared/api/session.ts";
import type { Message } from "../../shared/message.ts";
import type { Emitter } from "../client/emitter.ts";
import { applyErased } from "./apply-own.ts";
import type { BffClient } from "./bff-client.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { createRequests } from "./conversation-requests.ts";
import type { TabMessage } from "./environment.ts";
import { nameOf } from "./identity.ts";
import { applySnapshot, EMPTY_LOG, unreadIn } from "./log-state.ts";
import type { Relation, SessionModel } from "./session-model.ts";
import type { StoredDrafts } from "./stored-drafts.ts";

export interface ConversationModelDeps {
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly drafts: StoredDrafts;
  readonly tabs: Emitter<TabMessage>;
  /** Whether somebody looks at the open panel. */
  readonly isSeen: () => boolean;
}

export type ConversationModel = InstanceType<typeof ConversationModel>;

/** What was said, and what the customer asks of the conversation as a whole. */
export const ConversationModel = createModel((deps: ConversationModelDeps) => {
  const { client, session, log, drafts, tabs, isSeen } = deps;
  const { state } = log;
  const unread = signal(0);
  const startedOver = signal(false);
  const isErased = signal(false);
  const requests = createRequests({ client, session, log });

  const take = (answer: SessionState, relation: Relation) => {
    const { messages } = state.value;
    const pending = [...drafts.restore(nameOf(answer.customer)), ...state.value.pending];
    const before = { ...(relation === "same" ? state.value : EMPTY_LOG), pending };
    if (relation === "fresh") startedOver.value = messages.length > 0;
    const next = applySnapshot(before, answer.conversation);
    const isNews = before.conversation !== null && before.conversation.id === next.conversation?.id;
    if (isNews) log.commit(next);
    else log.replace(next);
  };
  const clear = () => {
    log.replace(EMPTY_LOG);
    requests.reset();
    isErased.value = false;
    unread.value = 0;
    startedOver.value = false;
  };

  session.subscribe((change) => {
    if (change.kind === "cleared") clear();
    else if (change.kind === "started") take(change.answer, change.relation);
  });
  tabs.subscribe((message) => {
    if (message.startsWith("erased ")) log.commit(applyErased(state.value, message.slice("erased ".length)));
  });
  log.subscribe((event) => {
    if (event.type === "message.received") unread.value = isSeen() ? 0 : unread.value + 1;
    if (event.type === "conversation.started") {
      requests.onConversationStarted();
      isErased.value = false;
    }
    if (event.type === "conversation.erased") {
      requests.reset();
      unread.value = 0;
      isErased.value = true;
    }
  });

  return {
    /** All that this screen knows of the conversation. */
    log: state,
    /** Only the conversation itself: its readers do not run for each piece of an answer. */
    current: computed(() => state.value.conversation),
    commit: log.commit,
    unread,
    /** The messages that the service does not know to be read, oldest first; none where it stores no such thing. */
    unreadMessages: (): readonly Message[] => (session.features.value.read ? unreadIn(state.value) : []),
    /** The conversation was verifiably erased. */
    isErased: isErased as ReadonlySignal<boolean>,
    /** The earlier session is over, and the messages that stood here belonged to it. */
    startedOver: startedOver as ReadonlySignal<boolean>,
    /** Why the agent suggests a person; null if it does not. */
    suggestion: computed(() => state.value.suggestion),
    /** How the customer's last request for a person stands. */
    handoffRequest: requests.handoff,
    /** How the customer's last request to end the conversation stands. */
    endRequest: requests.end,
    /** How the customer's answers to the agent's actions stand, by `actionId`. */
    actionRequests: requests.actions,
    requestHuman: requests.requestHuman,
    answerAction: requests.answerAction,
    end: requests.endConversation,
  };
});
