import type { AskedAction } from "../../shared/action.ts";
import type { Attachment } from "../../shared/attachment.ts";
import type { Conversation, ConversationSnapshot, Mark } from "../../shared/conversation.ts";
import type { Message, Role } from "../../shared/message.ts";
import type { Unconfirmed } from "../client/outbox.ts";

/** A message of the customer that the service has not confirmed. */
export interface Pending extends Unconfirmed {
  /** Files that the service verifiably stored for it. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** The customer in whose session it was last sent, and so may have arrived. */
  readonly by?: string | undefined;
}

/** How many messages may wait for their confirmation. */
export const MAX_WAITING = 20;

/** An answer in progress. `broken` since the connection was lost: its next piece would not fit. */
export interface LiveAnswer {
  readonly messageId: string;
  readonly text: string;
  readonly broken: boolean;
}

/** One conversation as this screen knows it. Changed only by the functions of `apply-event.ts` and `apply-own.ts`. */
export interface LogState {
  readonly conversation: (Conversation & Pick<ConversationSnapshot, "epoch" | "reopens">) | null;
  /** The highest seq that was handled; the event stream continues after it. */
  readonly lastSeq: number;
  /** The seq from which the hand-off's status comes: an older event never overrides it. */
  readonly handoffSeq: number;
  readonly messages: readonly Message[];
  /** The log has more before this seq that is not loaded; null if all of it is. */
  readonly nextBefore: number | null;
  readonly marks: readonly Mark[];
  /** Actions that the agent asked permission for, ordered by seq. */
  readonly actions: readonly AskedAction[];
  readonly suggestion: string | null;
  readonly answer: LiveAnswer | null;
  readonly typing: { readonly role: Role; readonly name?: string } | null;
  readonly pending: readonly Pending[];
}

/** A page of the log, and the seq that it was asked for. */
export interface EarlierPage
  extends Pick<ConversationSnapshot, "messages" | "marks" | "actions" | "nextBefore"> {
  readonly conversation: Pick<ConversationSnapshot, "id" | "epoch">;
  readonly before: number;
}

export const EMPTY_LOG: LogState = {
  conversation: null,
  lastSeq: 0,
  handoffSeq: 0,
  messages: [],
  nextBefore: null,
  marks: [],
  actions: [],
  suggestion: null,
  answer: null,
  typing: null,
  pending: [],
};

/** Whether nobody has answered an action, and it has no result. */
export function isUnanswered({ approved, result }: AskedAction): boolean {
  return approved === undefined && !result;
}

/** Names the conversation and its latest hand-off. */
export function placeOf({ conversation }: LogState): string {
  return `${conversation?.id ?? ""} ${conversation?.handoff?.id ?? ""}`;
}

/**
 * The messages that the service does not report as read, oldest first. Everything above the customer's own last message
 * counts as read.
 */
export function unreadIn({ conversation, messages }: LogState): readonly Message[] {
  const own = messages.findLast(({ role }) => role === "customer")?.seq ?? 0;
  const upTo = Math.max(conversation?.read?.customer ?? 0, own);
  return messages.filter((message) => message.role !== "customer" && message.seq > upTo);
}

/**
 * The state of a verified snapshot. Unconfirmed messages stay, and so do known entries if the snapshot has none. A message
 * of the customer that the service had confirmed and no longer has becomes unconfirmed. `isAllLost`: without a snapshot the
 * service lost the conversation; otherwise it was erased.
 */
export function applySnapshot(
  state: LogState,
  snapshot: ConversationSnapshot | null,
  isAllLost = false,
): LogState {
  if (!snapshot) {
    // An ended conversation stays readable until the next one starts, although the snapshot has no open one.
    if (state.conversation?.status === "ended") return state;
    return { ...EMPTY_LOG, pending: withDoubts(state, () => isAllLost) };
  }
  const { messages, marks, lastSeq, actions = [], suggestion, nextBefore = null, ...conversation } = snapshot;
  const isSame = state.conversation?.id === conversation.id;
  const isSameLog = isSame && state.conversation?.epoch === conversation.epoch;
  // The stream brought more while this snapshot was on its way.
  if (isSameLog && state.lastSeq > lastSeq)
    return { ...state, pending: withoutConfirmed(state.pending, messages) };
  // The result of an earlier action may be among the events that this page replaces.
  const isSettled = ({ seq, approved, result }: AskedAction) =>
    seq >= (nextBefore ?? 0) || approved === false || result !== undefined;
  // Earlier entries stay if there is no gap between them and this page.
  const isJoined =
    isSameLog &&
    nextBefore !== null &&
    state.lastSeq >= nextBefore - 1 &&
    (state.lastSeq >= lastSeq || state.actions.every(isSettled));
  const isEarlier = ({ seq }: { readonly seq: number }) => isJoined && seq < nextBefore;
  const isLost = ({ id, seq }: Message) =>
    isSame && !isSameLog && seq >= (nextBefore ?? 0) && !messages.some((known) => known.id === id);
  return {
    conversation,
    lastSeq,
    handoffSeq: lastSeq,
    messages: [...state.messages.filter(isEarlier), ...[...messages].sort(bySeq)],
    nextBefore: isJoined ? state.nextBefore : nextBefore,
    marks: marks ? [...state.marks.filter(isEarlier), ...marks] : isSame ? state.marks : [],
    actions: [...state.actions.filter(isEarlier), ...actions],
    suggestion: suggestion?.reason ?? null,
    answer: null,
    typing: null,
    pending: withoutConfirmed(withDoubts(state, isLost), messages),
  };
}

/** The unconfirmed messages, after those of the customer that the service no longer has. */
function withDoubts(
  { messages, pending }: LogState,
  isLost: (message: Message) => boolean,
): readonly Pending[] {
  const doubts = messages.flatMap((message): Pending[] => {
    const { role, clientMessageId, body, attachments } = message;
    return role === "customer" && clientMessageId && isLost(message)
      ? [{ clientMessageId, body, attachments, status: "not_confirmed", code: "not_confirmed" }]
      : [];
  });
  return [...doubts, ...pending];
}

/** Adds the page of the log before the loaded messages. A page of another place changes nothing. */
export function applyEarlier(state: LogState, page: EarlierPage): LogState {
  const { id, epoch } = page.conversation;
  const { nextBefore, conversation } = state;
  const belongs = conversation?.id === id && conversation.epoch === epoch && nextBefore === page.before;
  if (nextBefore === null || !belongs) return state;
  const isEarlier = ({ seq }: { readonly seq: number }) => seq < nextBefore;
  return {
    ...state,
    messages: [...page.messages.filter(isEarlier).sort(bySeq), ...state.messages],
    marks: [...(page.marks ?? []).filter(isEarlier), ...state.marks],
    actions: [...(page.actions ?? []).filter(isEarlier), ...state.actions],
    // A page that leads nowhere is the last one.
    nextBefore: page.nextBefore !== undefined && page.nextBefore < nextBefore ? page.nextBefore : null,
    pending: withoutConfirmed(state.pending, page.messages),
  };
}

function withoutConfirmed(pending: readonly Pending[], messages: readonly Message[]): readonly Pending[] {
  const keys = new Set(messages.map((message) => message.clientMessageId));
  return pending.filter(({ clientMessageId }) => !keys.has(clientMessageId));
}

const bySeq = (a: Message, b: Message) => a.seq - b.seq;
