import type { Conversation } from "../../shared/conversation.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import { insertBySeq } from "../client/insert-by-seq.ts";
import type { ChatFailure } from "./chat-failure.ts";
import { EMPTY_LOG, type LogState, type Pending } from "./log-state.ts";

// Pure functions, as in apply-event.ts, for the customer's own messages and the verified answers to their requests.

/** The customer's answer to an action, which the service has verifiably taken. */
export function applyAnswered(state: LogState, actionId: string, approved: boolean): LogState {
  const isNews = (known: LogState["actions"][number]) =>
    known.actionId === actionId && known.approved === undefined;
  if (!state.actions.some(isNews)) return state;
  return {
    ...state,
    actions: state.actions.map((known) => (isNews(known) ? { ...known, approved } : known)),
  };
}

/** A message that the service has confirmed: by an event of the log, or by a verified answer to the POST. */
export function applyMessage(state: LogState, message: Message): LogState {
  const pending = withoutPending(state.pending, message.clientMessageId);
  // By id; or by seq where it is the same message. Another key at a seq that is taken means two logs: nothing may vanish.
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

/** A conversation that the service has verifiably started, or found open. Another one than before takes its place. */
export function applyConversation(
  state: LogState,
  conversation: Conversation & { readonly epoch: string },
): LogState {
  if (state.conversation?.id === conversation.id) return { ...state, conversation };
  return { ...EMPTY_LOG, pending: state.pending, conversation };
}

/** The verified answer to a request for a person. An event about the same hand-off knows at least as much. */
export function applyHandoff(state: LogState, handoff: Handoff): LogState {
  const { conversation } = state;
  if (!conversation || conversation.handoff?.id === handoff.id) return state;
  return { ...state, conversation: { ...conversation, handoff }, suggestion: null };
}

export function applyEnd(state: LogState): LogState {
  const { conversation } = state;
  if (!conversation || conversation.status === "ended") return state;
  return { ...state, conversation: { ...conversation, status: "ended" }, answer: null, typing: null };
}

/** Adds a message that is on its way, or puts the one with its key on its way again. */
export function applySending(
  state: LogState,
  clientMessageId: string,
  body: string,
  attachments: Pending["attachments"] = [],
): LogState {
  const files = attachments.length > 0 && { attachments };
  const sending: Pending = { clientMessageId, body, status: "sending", ...files };
  const isKnown = state.pending.some((known) => known.clientMessageId === clientMessageId);
  const pending = isKnown
    ? state.pending.map((known) => (known.clientMessageId === clientMessageId ? sending : known))
    : [...state.pending, sending];
  return { ...state, pending };
}

/** Nothing answers: messages on their way wait here. */
export function applyQueued(state: LogState): LogState {
  if (!state.pending.some(({ status }) => status === "sending")) return state;
  const pending = state.pending.map(
    (known): Pending => (known.status === "sending" ? { ...known, status: "queued" } : known),
  );
  return { ...state, pending };
}

/** Nobody confirmed these messages: their text stays, with the reason. A message that is confirmed by now does not change. */
export function applyDoubt(state: LogState, keys: readonly string[], failure: ChatFailure): LogState {
  const doubt = {
    status: "not_confirmed" as const,
    code: failure.code,
    ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
  };
  return {
    ...state,
    pending: state.pending.map((known) =>
      keys.includes(known.clientMessageId) ? { ...known, ...doubt } : known,
    ),
  };
}

/** The conversation is verifiably gone for good, and what was not confirmed of it goes with it. */
export function applyErased(state: LogState, conversationId: string): LogState {
  return state.conversation?.id === conversationId ? EMPTY_LOG : state;
}

export function applyDiscard(state: LogState, clientMessageId: string): LogState {
  return { ...state, pending: withoutPending(state.pending, clientMessageId) };
}

function withoutPending(pending: readonly Pending[], key: string | undefined): readonly Pending[] {
  return key !== undefined && pending.some((known) => known.clientMessageId === key)
    ? pending.filter((known) => known.clientMessageId !== key)
    : pending;
}
