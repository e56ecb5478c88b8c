import type { AskedAction } from "../../shared/action.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { HandoffStatus } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import { isUnanswered, type LogState, type Pending } from "./log-state.ts";
import type { Texts } from "./texts.ts";

/** Events for the customer and the page. They report success only if the service verifiably confirmed it. */
export type PanelEvent =
  | { readonly type: "message.sent"; readonly message: Message }
  | { readonly type: "message.received"; readonly message: Message }
  | { readonly type: "message.not_confirmed"; readonly pending: Pending }
  | { readonly type: "conversation.started"; readonly conversationId: string }
  | { readonly type: "conversation.ended"; readonly conversationId: string }
  | { readonly type: "conversation.erased" }
  /** Only for a screen reader. */
  | { readonly type: "said"; readonly isUrgent: boolean; readonly words: (texts: Texts) => string }
  | { readonly type: "action.requested"; readonly action: AskedAction }
  /** It was answered, or the service said what became of it. */
  | { readonly type: "action.changed"; readonly action: AskedAction }
  | { readonly type: "handoff.suggested"; readonly reason: string }
  | {
      readonly type: `handoff.${HandoffStatus}`;
      readonly handoffId: string;
      readonly name?: string | undefined;
    }
  | { readonly type: "identity.failed"; readonly code: FailureCode }
  | {
      readonly type: "failed";
      readonly what: "session" | "handoff" | "end";
      readonly code: FailureCode;
      /** The device reports that it has no network, which is the cause. */
      readonly isOffline?: boolean;
    };

/** The events between two states of the log, in the order in which a person would report them. Pure. */
export function eventsBetween(before: LogState, after: LogState): PanelEvent[] {
  return [
    startsBetween,
    sentBetween,
    receivedBetween,
    asksBetween,
    handoffBetween,
    placeBetween,
    doubtsBetween,
    endsBetween,
  ].flatMap((between) => between(before, after));
}

function startsBetween(before: LogState, after: LogState): PanelEvent[] {
  const { conversation } = after;
  const isKnown = before.conversation?.id === conversation?.id && before.conversation?.status === "open";
  if (conversation?.status !== "open" || isKnown) return [];
  return [{ type: "conversation.started", conversationId: conversation.id }];
}

function sentBetween(before: LogState, after: LogState): PanelEvent[] {
  if (before.pending === after.pending) return [];
  const left = new Set(after.pending.map((pending) => pending.clientMessageId));
  return before.pending.flatMap(({ clientMessageId }) => {
    const message = after.messages.find((known) => known.clientMessageId === clientMessageId);
    return left.has(clientMessageId) || !message ? [] : [{ type: "message.sent", message } as const];
  });
}

function receivedBetween(before: LogState, after: LogState): PanelEvent[] {
  if (before.messages === after.messages) return [];
  const isSame = before.conversation?.id === after.conversation?.id;
  const old = isSame ? before.messages : [];
  // Most often one message follows a thousand known ones: compare from the first that differs.
  const from = after.messages.findIndex((message, at) => message !== old[at]);
  const known = new Set(old.slice(Math.max(from - 1, 0)).map((message) => message.seq));
  return (from < 0 ? [] : after.messages.slice(from))
    .filter((message) => message.role !== "customer" && !known.has(message.seq))
    .map((message) => ({ type: "message.received", message }));
}

function asksBetween(before: LogState, after: LogState): PanelEvent[] {
  const happened: PanelEvent[] = [];
  for (const action of before.actions === after.actions ? [] : after.actions) {
    const { approved, result } = action;
    const old = before.actions.find((known) => known.actionId === action.actionId);
    if (!old && isUnanswered(action)) happened.push({ type: "action.requested", action });
    const isChanged = old?.approved !== approved || old?.result?.status !== result?.status;
    if (isChanged) happened.push({ type: "action.changed", action });
  }
  const { suggestion } = after;
  if (suggestion !== null && suggestion !== before.suggestion)
    happened.push({ type: "handoff.suggested", reason: suggestion });
  return happened;
}

function handoffBetween(before: LogState, after: LogState): PanelEvent[] {
  const [old, now] = [before.conversation?.handoff, after.conversation?.handoff];
  if (!now || (old?.id === now.id && old.status === now.status)) return [];
  return [{ type: `handoff.${now.status}`, handoffId: now.id, name: now.human?.name }];
}

/** The place in the queue as it becomes known, and again when nobody is before it: each step would be chatter. */
function placeBetween(before: LogState, after: LogState): PanelEvent[] {
  const [old, now] = [before.conversation?.handoff?.wait, after.conversation?.handoff?.wait];
  const place = now?.place;
  if (place === undefined || (old && (place > 1 || (old.place ?? 1) === 1))) return [];
  return [{ type: "said", isUrgent: false, words: (texts) => texts.sentence(texts.queuePlace(`${place}`)) }];
}

function doubtsBetween(before: LogState, after: LogState): PanelEvent[] {
  if (before.pending === after.pending) return [];
  return after.pending
    .filter((pending) => pending.status === "not_confirmed" && !before.pending.includes(pending))
    .map((pending) => ({ type: "message.not_confirmed", pending }));
}

function endsBetween(before: LogState, after: LogState): PanelEvent[] {
  const { conversation } = after;
  const isNew = before.conversation?.id === conversation?.id && before.conversation?.status === "open";
  // A log without a conversation is committed only after a verified erasure; every other change replaces it silently.
  if (before.conversation && !conversation) return [{ type: "conversation.erased" }];
  if (!isNew || conversation?.status !== "ended") return [];
  return [{ type: "conversation.ended", conversationId: conversation.id }];
}
