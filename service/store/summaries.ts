import type { Message } from "../../shared/message.ts";
import type { Summary } from "../../shared/summary.ts";
import type { ActionReport } from "./actions.ts";
import type { Owner } from "./owner.ts";

/** The open hand-off of a conversation, and what was said before it. */
export interface SummarySubject {
  readonly conversationId: string;
  readonly customerId: string;
  readonly agentProvider: string;
  readonly handoffId: string;
  /** The newest ones before the hand-off was requested, oldest first. */
  readonly messages: readonly Message[];
  /** The summary that the customer has already sent. */
  readonly sent: Summary | undefined;
  /** The verified results of agents' actions in this conversation. */
  readonly actions: readonly ActionReport[];
  /** BCP 47, as the session reported it. */
  readonly locale: string | undefined;
}

/** Every call: @throws Failure `not_found`, `conversation_ended`, `handoff_unavailable` without an open request for a person */
export interface SummaryStore {
  read(owner: Owner, conversationId: string): Promise<SummarySubject>;
  /**
   * Appends the summary to the log, once for each hand-off. The same text again changes nothing.
   * @throws Failure `key_reused` for another text
   */
  send(owner: Owner, conversationId: string, summary: Summary): Promise<Summary>;
}
