import type { Conversation } from "../../shared/conversation.ts";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { Handoff } from "../../shared/handoff.ts";
import { markOf } from "../../shared/mark-of.ts";
import { insertBySeq } from "../client/insert-by-seq.ts";
import { applyAnswered, applyEnd, applyMessage } from "./apply-own.ts";
import { EMPTY_LOG, type LogState } from "./log-state.ts";

/**
 * One event onto the state; pure. A seq already there changes nothing (the same object comes back), the place in the log
 * is the seq's, an unconfirmed message gives way to the one with its key, an answer being written to the one with its id.
 */
export function applyEvent(state: LogState, event: LoggedEvent | LiveEvent): LogState {
  switch (event.type) {
    case "conversation.started":
      return handled(state, event.seq);
    case "message.created":
      // The entry's own seq is the message's place, should the two ever differ.
      return handled(applyMessage(state, { ...event.message, seq: event.seq }), event.seq);
    case "conversation.ended":
      return applyEnd(handled(withMark(state, event), event.seq));
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed":
      return handled(withHandoff(withMark(state, event), event.handoff, event.seq), event.seq);
    case "action.requested":
      return handled(withAction(state, event), event.seq);
    case "action.answered":
      return handled(applyAnswered(state, event.actionId, event.approved), event.seq);
    case "handoff.suggested":
      return handled(
        event.seq > state.handoffSeq ? { ...state, suggestion: event.reason } : state,
        event.seq,
      );
    case "conversation.rated":
      return handled(withConversation(state, { rating: event.rating }), event.seq);
    default:
      return applyLive(state, event);
  }
}

/** The stream is lost: the answer being written can't be followed, and nobody is known to be typing. */
export function applyStreamLost(state: LogState): LogState {
  if (!state.typing && (!state.answer || state.answer.broken)) return state;
  return { ...state, typing: null, answer: state.answer && { ...state.answer, broken: true } };
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
    case "conversation.read": {
      const read = state.conversation?.read;
      if ((read?.[event.by] ?? 0) >= event.upTo) return state;
      return withConversation(state, { read: { ...read, [event.by]: event.upTo } });
    }
    case "conversation.erased":
      return { ...EMPTY_LOG, pending: state.pending };
  }
}

function withConversation(state: LogState, news: Pick<Conversation, "rating" | "read">): LogState {
  const { conversation } = state;
  return conversation ? { ...state, conversation: { ...conversation, ...news } } : state;
}

function withAnswer(
  state: LogState,
  messageId: string,
  next: (answer: LogState["answer"]) => { text: string } | LogState["answer"],
): LogState {
  // A piece that comes after its finished message is late, not new.
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
  return { ...state, conversation: { ...conversation, handoff }, handoffSeq: seq, suggestion: null, typing };
}

function withAction(state: LogState, event: LoggedEvent & { type: "action.requested" }): LogState {
  const { action, seq, at } = event;
  if (state.actions.some((known) => known.actionId === action.actionId)) return state;
  return { ...state, actions: insertBySeq(state.actions, { ...action, seq, at }) };
}

function withMark(state: LogState, event: LoggedEvent): LogState {
  const mark = markOf(event);
  if (!mark || state.marks.some(({ seq }) => seq === mark.seq)) return state;
  return { ...state, marks: insertBySeq(state.marks, mark) };
}

function handled(state: LogState, seq: number): LogState {
  return seq > state.lastSeq ? { ...state, lastSeq: seq } : state;
}
