import type { AskedAction } from "../../shared/action.ts";
import type { Attachment } from "../../shared/attachment.ts";
import type { Conversation, ConversationSnapshot, Mark } from "../../shared/conversation.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { Message, Role } from "../../shared/message.ts";

/**
 * A message of the customer's that the service has not confirmed yet. `clientMessageId` is its key, also on each retry.
 * `queued`: nothing answers, and it goes out by itself as soon as something does.
 */
export interface Pending {
  readonly clientMessageId: string;
  readonly body: string;
  /** Files that the service verifiably stored for it. */
  readonly attachments?: readonly Attachment[];
  readonly status: "sending" | "queued" | "not_confirmed";
  readonly code?: FailureCode;
  readonly retryAfter?: number;
}

/** How many messages may wait for their confirmation. */
export const MAX_WAITING = 20;

/** An answer that is being written. `broken` since the connection was lost: its next piece would not fit. */
export interface LiveAnswer {
  readonly messageId: string;
  readonly text: string;
  readonly broken: boolean;
}

/** One conversation as this screen knows it. Changed only by the functions of `apply-event.ts` and `apply-own.ts`. */
export interface LogState {
  readonly conversation: (Conversation & { readonly epoch: string }) | null;
  /** The highest seq that was handled; the event stream goes on after it. */
  readonly lastSeq: number;
  /** The seq that the hand-off's status stems from: an older event never overrules it. */
  readonly handoffSeq: number;
  readonly messages: readonly Message[];
  readonly marks: readonly Mark[];
  /** Actions that the agent asked permission for, in the order of their seq. */
  readonly actions: readonly AskedAction[];
  /** Why the agent suggests a person; null where it does not, or one was asked since. */
  readonly suggestion: string | null;
  readonly answer: LiveAnswer | null;
  readonly typing: { readonly role: Role; readonly name?: string } | null;
  readonly pending: readonly Pending[];
}

export const EMPTY_LOG: LogState = {
  conversation: null,
  lastSeq: 0,
  handoffSeq: 0,
  messages: [],
  marks: [],
  actions: [],
  suggestion: null,
  answer: null,
  typing: null,
  pending: [],
};

/**
 * The messages that the service does not know to be read, oldest first. What stands above the customer's own last message
 * counts as read.
 */
export function unreadIn({ conversation, messages }: LogState): readonly Message[] {
  const own = messages.findLast(({ role }) => role === "customer")?.seq ?? 0;
  const upTo = Math.max(conversation?.read?.customer ?? 0, own);
  return messages.filter((message) => message.role !== "customer" && message.seq > upTo);
}

/** The state of a verified snapshot. Unconfirmed messages stay, and so do known marks if the snapshot has none. */
export function applySnapshot(state: LogState, snapshot: ConversationSnapshot | null): LogState {
  if (!snapshot) {
    // An ended conversation stays readable until the next one starts; the service has no open one to show.
    return state.conversation?.status === "ended" ? state : { ...EMPTY_LOG, pending: state.pending };
  }
  const { messages, marks, lastSeq, actions = [], suggestion, ...conversation } = snapshot;
  const isSame = state.conversation?.id === conversation.id;
  const keys = new Set(messages.map((message) => message.clientMessageId));
  return {
    conversation,
    lastSeq,
    handoffSeq: lastSeq,
    messages: [...messages].sort((a, b) => a.seq - b.seq),
    marks: marks ?? (isSame ? state.marks : []),
    actions,
    suggestion: suggestion?.reason ?? null,
    answer: null,
    typing: null,
    pending: state.pending.filter((pending) => !keys.has(pending.clientMessageId)),
  };
}
