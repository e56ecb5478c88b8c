import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";

/** The desk's state from the service: the queue, the open conversation, answers in progress. */
export interface Board {
  readonly queue: readonly DeskSummary[];
  readonly opened: DeskConversation | undefined;
  /** Text so far of answers in progress: conversation id, then message id. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Conversations whose customer is typing. */
  readonly typing: ReadonlySet<string>;
}

export const EMPTY_BOARD: Board = { queue: [], opened: undefined, answers: {}, typing: new Set() };
