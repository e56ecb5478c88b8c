import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";

/** A person of the team, as the actions of the desk know them. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface DeskTarget {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/**
 * What people do. Each action appends its event to the customer's log and a row to the audit log in one transaction.
 * @throws Failure `not_found` for a missing and for another workspace's conversation alike; `conversation_ended`
 */
export interface DeskStore {
  /** The queue: who waits first (longest first), then taken, then with the agent, then ended; at most 200. */
  listDeskConversations(workspaceId: string): Promise<DeskSummary[]>;
  readDeskSummary(target: DeskTarget): Promise<DeskSummary | undefined>;
  readDeskConversation(target: DeskTarget): Promise<DeskConversation | undefined>;
  /** Takes it; idempotent for the same person. @throws Failure `handoff_unavailable` when nobody asked */
  acceptHandoff(
    target: DeskTarget,
    person: Person,
  ): Promise<{ taken: true; handoff: Handoff } | { taken: false; by: Person }>;
  /** Only by who has taken it. @throws Failure `forbidden`, `key_reused` */
  replyAsHuman(
    target: DeskTarget,
    person: Person,
    reply: { clientMessageId: string; body: string },
  ): Promise<Message>;
  /** A person has seen everything up to `seq`; gives how far they have seen. */
  markReadByHuman(target: DeskTarget, seq: number): Promise<number>;
  /** Only by who has taken it; once more is the same. @throws Failure `forbidden` */
  returnToAgent(target: DeskTarget, person: Person): Promise<Handoff>;
  /** Ends the conversation; once more is the same. @throws Failure `forbidden` when another person has taken it */
  resolveConversation(target: DeskTarget, person: Person): Promise<{ id: string; status: "ended" }>;
}
