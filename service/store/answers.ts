import type { Message } from "../../shared/message.ts";

/** What an agent had said when it was interrupted; kept as an incomplete message. */
export interface PartialAnswer {
  readonly turnSeq: number;
  readonly message: Omit<Message, "seq" | "at">;
}

/** Asked inside the transaction, so that no word of the agent can fall between. */
export type ReadPartial = () => PartialAnswer | undefined;

export interface PendingAnswer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly turnSeq: number;
  readonly answerId: string;
  readonly attempts: number;
  readonly agentProvider: string;
  readonly locale: string | undefined;
  /** The conversation up to and with the question, which is the last. */
  readonly messages: readonly Message[];
}

/** Turns that an agent still owes an answer: they survive a kill, and are answered after the next start. */
export interface AnswerStore {
  /** The oldest of one conversation. */
  next(conversationId: string): Promise<PendingAnswer | undefined>;
  isPending(conversationId: string, turnSeq: number): Promise<boolean>;
  /** Keeps the answer, once, unless a person was asked or the conversation ended meanwhile. */
  finish(
    pending: { conversationId: string; turnSeq: number },
    message: Omit<Message, "seq" | "at">,
  ): Promise<Message | undefined>;
  /** Counts one more attempt on everything pending, and names the conversations. For the start of the process. */
  retryAll(): Promise<string[]>;
}
