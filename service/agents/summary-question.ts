import type { Message } from "../../shared/message.ts";
import type { ProposedSentence } from "../../shared/summary.ts";

/** The input of an agent that summarises a conversation. */
export interface SummaryQuestion {
  readonly conversationId: string;
  readonly customerId: string;
  /** The messages before a person was asked for, oldest first. */
  readonly messages: readonly Message[];
}

/** A summary that a model wrote: each sentence names the message that it rests on. */
export interface WrittenSummary {
  readonly sentences: readonly ProposedSentence[];
  readonly model: string;
}
