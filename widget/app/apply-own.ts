import type { Conversation } from "../../shared/conversation.ts";
import type { Handoff, Wait } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import { insertBySeq } from "../client/insert-by-seq.ts";
import { EMPTY_LOG, type LogState, type Pending } from "./log-state.ts";

// Pure functions, as in apply-event.ts, for the customer's own messages and the verified answers to their requests.

/** A message that the service has confirmed: by an event of the log, or by a verified answer to the POST. */
export function applyMessage(state: LogState, message: Message): LogState {
  const pending = withoutPending(state.pending, message.clientMessageId);
  // By id; or by seq if it is the same message. Another key at a used seq means two logs, and nothing may vanish.
  const isKnown = state.messages.some(
    ({ id, seq, clientMessageId }) =>
      id === message.id || (seq === message.seq && clientMessageId === message.clientMessageId),
  );
  if (isKnown) return pending === state.pending ? state : { ...state, pending };
  const speaks = message.role !== "customer";
  const answer = state.answer;
  const isOver = answer && (answer.messageId === message.id || (speaks && answer.broken));
  return {
    ...state,
    pending,
    messages: insertBySeq(state.messages, message),
    answer: isOver ? null : answer,
    typing: speaks ? null : state.typing,
  };
}

/** A conversation that the service has verifiably started, or found open. A different one replaces the previous one. */
export function applyConversation(
  state: LogState,
  conversation: Conversation & { readonly epoch: string },
): LogState {
  if (state.conversation?.id !== conversation.id)
    return { ...EMPTY_LOG, pending: state.pending, conversation };
  const { status, handoff: _, reopens: __, ...known } = state.conversation;
  // If it is open already, the stream said so, and perhaps what came after that. Otherwise its agent answers first.
  return status === "open" ? state : { ...state, conversation: { ...known, ...conversation } };
}

/**
 * The verified answer to a request for a person. An event about the same hand-off knows at least as much, except of the
 * wait.
 */
export function applyHandoff(state: LogState, handoff: Handoff): LogState {
  const { conversation } = state;
  if (conversation?.handoff?.id === handoff.id) {
    return handoff.wait ? applyWait(state, { ...handoff.wait, ...conversation.handoff.wait }) : state;
  }
  if (!conversation) return state;
  return { ...state, conversation: { ...conversation, handoff }, suggestion: null };
}

/** Applies the service's news about the wait for a person. The opening, which only the BFF knows, stays. */
export function applyWait(state: LogState, wait: Wait): LogState {
  const { conversation } = state;
  const { handoff } = conversation ?? {};
  if (!conversation || handoff?.status !== "requested") return state;
  const known = { ...wait, opensAt: handoff.wait?.opensAt ?? wait.opensAt };
  return { ...state, conversation: { ...conversation, handoff: { ...handoff, wait: known } } };
}

export function applyEnd(state: LogState): LogState {
  const { conversation } = state;
  if (!conversation || conversation.status === "ended") return state;
  return { ...state, conversation: { ...conversation, status: "ended" }, answer: null, typing: null };
}

/** The conversation is verifiably gone for good, and its unconfirmed messages go with it. */
export function applyErased(state: LogState, conversationId: string): LogState {
  return state.conversation?.id === conversationId ? EMPTY_LOG : state;
}

function withoutPending(pending: readonly Pending[], key: string | undefined): readonly Pending[] {
  return key !== undefined && pending.some((known) => known.clientMessageId === key)
    ? pending.filter((known) => known.clientMessageId !== key)
    : pending;
}
