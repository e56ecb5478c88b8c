import type { ConversationSnapshot } from "../../shared/conversation.ts";
import type { LoggedEvent } from "../../shared/event.ts";
import { markOf } from "../../shared/mark-of.ts";
import type { Message } from "../../shared/message.ts";

/** The state that follows from a log, as fields of a snapshot. */
export type LogFacts = Pick<
  ConversationSnapshot,
  "messages" | "marks" | "lastSeq" | "startedAt" | "handoff" | "actions" | "suggestion" | "rating"
>;

/** Computes the state after the last entry of a whole log. Pure. */
export function factsOf(events: readonly LoggedEvent[]): LogFacts {
  let facts: FactsBesideMessages = { lastSeq: 0 };
  const messages: Message[] = [];
  for (const event of events) {
    if (event.type === "message.created") messages.push(event.message);
    facts = { ...applyEntry(facts, event), lastSeq: event.seq };
  }
  const marks = events.flatMap((event) => markOf(event) ?? []);
  return { ...facts, messages, ...(marks.length > 0 ? { marks } : {}) };
}

type FactsBesideMessages = Omit<LogFacts, "messages">;

function applyEntry(facts: FactsBesideMessages, event: LoggedEvent): FactsBesideMessages {
  switch (event.type) {
    case "conversation.started":
      return { ...facts, startedAt: event.at };
    case "action.requested": {
      const { seq, at, action } = event;
      return { ...facts, actions: [...(facts.actions ?? []), { ...action, seq, at }] };
    }
    case "action.answered": {
      const { actionId, approved } = event;
      const actions = facts.actions?.map((one) => (one.actionId === actionId ? { ...one, approved } : one));
      return { ...facts, actions: actions ?? [] };
    }
    case "handoff.suggested":
      return { ...facts, suggestion: { reason: event.reason } };
    // Only services with events run actions: their own transcript has the state.
    case "action.completed":
    case "action.failed":
    case "action.unknown":
    case "action.expired":
    case "message.created":
    case "summary.sent":
    case "conversation.ended":
    case "conversation.reopened":
      return facts;
    case "conversation.rated":
      return { ...facts, rating: event.rating };
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed": {
      const { suggestion: _, ...rest } = facts;
      return { ...rest, handoff: event.handoff };
    }
  }
}
