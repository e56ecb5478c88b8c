import type { FeedbackChange } from "../../shared/feedback.ts";
import type { Rating } from "../../shared/rating.ts";
import { withFeedback } from "../client/feedback-on.ts";
import type { LogState } from "./log-state.ts";

// Pure functions, as in apply-own.ts. They have a file of their own because the panel's first open does not need them.

/** The customer's answer to an action, which the service has verifiably accepted. */
export function applyAnswered(state: LogState, actionId: string, approved: boolean): LogState {
  const isNews = (known: LogState["actions"][number]) =>
    known.actionId === actionId && known.approved === undefined;
  if (!state.actions.some(isNews)) return state;
  return {
    ...state,
    actions: state.actions.map((known) => (isNews(known) ? { ...known, approved } : known)),
  };
}

/** How far one side has read, as far as the service verifiably said. It only moves forward. */
export function applyRead(state: LogState, by: "customer" | "human", upTo: number): LogState {
  const { conversation } = state;
  if (!conversation || (conversation.read?.[by] ?? 0) >= upTo) return state;
  return { ...state, conversation: { ...conversation, read: { ...conversation.read, [by]: upTo } } };
}

/** The customer's rating, which the service has verifiably taken. */
export function applyRated(state: LogState, rating: Rating): LogState {
  const { conversation } = state;
  return conversation ? { ...state, conversation: { ...conversation, rating } } : state;
}

/** The customer's feedback on one answer, which the service has verifiably taken. */
export function applyFeedback(state: LogState, feedback: FeedbackChange): LogState {
  return { ...state, messages: withFeedback(state.messages, feedback) };
}

/** The customer's address that the service verifiably has; null if it has none. */
export function applyContact(state: LogState, email: string | null): LogState {
  const { conversation } = state;
  if (!conversation || (conversation.contact?.email ?? null) === email) return state;
  const { contact: _, ...rest } = conversation;
  return { ...state, conversation: email === null ? rest : { ...rest, contact: { email } } };
}
