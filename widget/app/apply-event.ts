import type { ActionStatus } from "../../shared/action.ts";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { Handoff } from "../../shared/handoff.ts";
import { markOf } from "../../shared/mark-of.ts";
import { insertBySeq } from "../client/insert-by-seq.ts";
import { applyAnswered, applyContact, applyFeedback, applyRated, applyRead } from "./apply-details.ts";
import { applyEnd, applyMessage, applyWait } from "./apply-own.ts";
import { EMPTY_LOG, type LogState } from "./log-state.ts";

/**
 * Applies one event to the state; pure. A known seq changes nothing (the same object is returned), entries are ordered
 * by seq, an unconfirmed message is replaced by the one with its key, and an answer in progress by the one with its id.
 */
export function applyEvent(state: LogState, event: LoggedEvent | LiveEvent): LogState {
  switch (event.type) {
    case "conversation.started":
      return handled(state, event.seq);
    case "message.created":
      // The entry's own seq is the message's position, should the two ever differ.
      return handled(applyMessage(state, { ...event.message, seq: event.seq }), event.seq);
    case "conversation.ended":
      return applyEnd(handled(withMark(state, event), event.seq));
    case "summary.sent":
      return handled(withMark(state, event), event.seq);
    case "conversation.reopened":
      return reopened(handled(withMark(state, event), event.seq));
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed":
      return handled(withHandoff(withMark(state, event), event.handoff, event.seq), event.seq);
    case "action.requested":
      return handled(withAction(state, event), event.seq);
    case "action.answered":
      return handled(applyAnswered(state, event.actionId, event.approved), event.seq);
    case "action.completed":
    case "action.failed":
    case "action.unknown":
    case "action.expired":
      return handled(withResult(state, event), event.seq);
    case "handoff.suggested":
      return handled(
        event.seq > state.handoffSeq ? { ...state, suggestion: event.reason } : state,
        event.seq,
      );
    case "conversation.rated":
      return handled(applyRated(state, event.rating), event.seq);
    default:
      return applyLive(state, event);
  }
}

/**
 * The stream is lost: the answer being written can't be followed, nobody is known to be typing, and the place in the queue
 * may be another one.
 */
export function applyStreamLost(before: LogState): LogState {
  const state = withoutPlace(before);
  if (!state.typing && (!state.answer || state.answer.broken)) return state;
  // Without text it would only show that somebody is typing.
  const answer = state.answer?.text.trim() ? { ...state.answer, broken: true } : null;
  return { ...state, typing: null, answer };
}

function withoutPlace(state: LogState): LogState {
  const { conversation } = state;
  if (!conversation?.handoff?.wait?.place) return state;
  const { place: _, ...wait } = conversation.handoff.wait;
  return { ...state, conversation: { ...conversation, handoff: { ...conversation.handoff, wait } } };
}

function applyLive(state: LogState, event: LiveEvent): LogState {
  switch (event.type) {
    case "response.delta":
      return withAnswer(state, event.messageId, (answer) =>
        answer?.broken ? answer : { text: (answer?.text ?? "") + event.delta },
      );
    case "response.snapshot":
      return withAnswer(state, event.messageId, () => ({ text: event.text }));
    case "typing.started":
      if (event.role === "customer") return state;
      return { ...state, typing: { role: event.role, ...(event.name ? { name: event.name } : {}) } };
    case "typing.stopped":
      return state.typing?.role === event.role ? { ...state, typing: null } : state;
    case "conversation.read":
      return applyRead(state, event.by, event.upTo);
    case "handoff.wait":
      return applyWait(state, event.wait);
    case "contact.changed":
      return applyContact(state, event.contact.email);
    case "feedback.changed":
      return applyFeedback(state, event.feedback);
    case "conversation.erased":
      return { ...EMPTY_LOG, pending: state.pending };
  }
}

function withAnswer(
  state: LogState,
  messageId: string,
  next: (answer: LogState["answer"]) => { text: string } | LogState["answer"],
): LogState {
  // A piece that arrives after its finished message is late, not new.
  if (state.messages.some((message) => message.id === messageId)) return state;
  const same = state.answer?.messageId === messageId ? state.answer : null;
  const answer = next(same);
  if (!answer || answer === same) return state;
  return { ...state, answer: { messageId, text: answer.text, broken: false }, typing: null };
}

function withHandoff(state: LogState, handoff: Handoff, seq: number): LogState {
  const { conversation } = state;
  if (!conversation || seq <= state.handoffSeq) return state;
  const typing = handoff.status === "accepted" ? null : state.typing;
  const before = conversation.handoff;
  // Events of the log don't contain the wait, so the known one stays.
  const isSame = before?.id === handoff.id && before.status === handoff.status;
  const known = isSame && before.wait ? { ...handoff, wait: before.wait } : handoff;
  return {
    ...state,
    conversation: { ...conversation, handoff: known },
    handoffSeq: seq,
    suggestion: null,
    typing,
  };
}

function withAction(state: LogState, event: LoggedEvent & { type: "action.requested" }): LogState {
  const { action, seq, at } = event;
  if (state.actions.some((known) => known.actionId === action.actionId)) return state;
  return { ...state, actions: insertBySeq(state.actions, { ...action, seq, at }) };
}

/** An action's result, as the service reported it. */
function withResult(
  state: LogState,
  { actionId, type, text }: LoggedEvent & { readonly type: `action.${ActionStatus}` },
): LogState {
  const status = type.slice("action.".length) as ActionStatus;
  const actions = state.actions.map((known) =>
    known.actionId === actionId && !known.result
      ? { ...known, result: { status, ...(text ? { text } : {}) } }
      : known,
  );
  return { ...state, actions };
}

function withMark(state: LogState, event: LoggedEvent): LogState {
  const mark = markOf(event);
  if (!mark || state.marks.some(({ seq }) => seq === mark.seq)) return state;
  return { ...state, marks: insertBySeq(state.marks, mark) };
}

function handled(state: LogState, seq: number): LogState {
  return seq > state.lastSeq ? { ...state, lastSeq: seq } : state;
}

/** It is open again after its end. */
function reopened(state: LogState): LogState {
  const { conversation } = state;
  if (conversation?.status !== "ended") return state;
  const { reopens: _, ...known } = conversation;
  return { ...state, conversation: { ...known, status: "open" } };
}
