import type {
  AnswerNote,
  DeskConversation,
  DeskCustomerPage,
  DeskState,
  DeskSummary,
  TeamFacts,
  TeamFactsChange,
} from "../../shared/desk.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import type { HistoryPage, HistoryPlace } from "./conversations.ts";

/** A person of the team, as the actions of the desk know them. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface DeskTarget {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export interface CustomerTarget {
  readonly workspaceId: string;
  readonly customerId: string;
}

type OnePage = Extract<DeskCustomerPage, { conversations: unknown }>;
export type CustomerPage = Omit<OnePage, "next" | "presence"> & { readonly next?: HistoryPlace | undefined };
export type ErasedCustomer = Exclude<DeskCustomerPage, OnePage>;

/** How many rows of one state a page has: no state's rows can displace another's. */
export const QUEUE_PAGE = 100;

/** A row of the queue as a position: rows of one state are in the order of `order`, then of `id`. */
export interface QueuePlace {
  readonly state: DeskState;
  readonly order: number;
  readonly id: string;
}

export interface NewReply {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
  /** The text began as a draft of the agent. */
  readonly fromDraft?: boolean | undefined;
}

/** Another person may have been faster. */
export type Taken =
  | { readonly taken: true; readonly handoff: Handoff }
  | { readonly taken: false; readonly by: Person };

/**
 * What people do. Each action appends its event to the customer's log and an entry to the audit log in one transaction.
 * @throws Failure `not_found` for a missing and for another workspace's conversation alike; `conversation_ended`
 */
export interface DeskStore {
  /**
   * The queue: waiting conversations first (longest wait first), then taken (longest wait for an answer first, then the
   * answered ones, newest first), then with the agent, then ended (newest first); at most `QUEUE_PAGE` of each. With
   * `after`, the next page of that state only. `readerId` is the person whose `seenSeq` it contains.
   */
  listDeskConversations(workspaceId: string, after?: QueuePlace, readerId?: string): Promise<DeskSummary[]>;
  /** The open conversations in which the team may still allow an action, the longest wait first; at most `QUEUE_PAGE`. */
  listDecisions(workspaceId: string, readerId?: string): Promise<DeskSummary[]>;
  readDeskSummary(target: DeskTarget, readerId?: string): Promise<DeskSummary | undefined>;
  readDeskConversation(target: DeskTarget, readerId?: string): Promise<DeskConversation | undefined>;
  /** The note on the agent's answer at this place of the log; undefined if it has none. */
  readNote(target: DeskTarget, seq: number): Promise<AnswerNote | undefined>;
  /**
   * The conversations that this one's customer began before it, newest first: at most `limit`, or as many after a place.
   */
  listEarlier(target: DeskTarget, after: HistoryPlace | undefined, limit: number): Promise<HistoryPage>;
  /**
   * A customer of the workspace with their conversations, newest first: at most `limit`, or as many after a place.
   * Undefined for one of another workspace, for a missing one and for a visitor whose time was over.
   */
  readCustomer(
    target: CustomerTarget,
    after: HistoryPlace | undefined,
    limit: number,
  ): Promise<CustomerPage | ErasedCustomer | undefined>;
  /** Takes it; idempotent for the same person. @throws Failure `handoff_unavailable` when nobody asked for a person */
  acceptHandoff(target: DeskTarget, person: Person): Promise<Taken>;
  /**
   * As `acceptHandoff`, but takes the conversation from the agent if nobody asked for a person: the agent's answer in
   * progress ends, and the customer reads who joined.
   */
  takeConversation(target: DeskTarget, person: Person): Promise<Taken>;
  /**
   * Opens an ended conversation again and takes it. Idempotent for the same person. @throws Failure
   * `handoff_unavailable` while it is open, `conversation_ended` when its customer has begun or continued another one
   */
  reopenConversation(target: DeskTarget, person: Person): Promise<Handoff>;
  /** Only for the person who has taken it. @throws Failure `forbidden`, `key_reused`, `file_gone` */
  replyAsHuman(target: DeskTarget, person: Person, reply: NewReply): Promise<Message>;
  /**
   * This person has seen everything up to `seq`; returns how far they have seen. The customer sees this only while this
   * person has the conversation.
   */
  markReadByHuman(target: DeskTarget, person: Person, seq: number): Promise<number>;
  /** Sets what the team says about the customer, which only the team sees. Returns all of it. */
  describeCustomer(target: DeskTarget, person: Person, change: TeamFactsChange): Promise<TeamFacts>;
  /**
   * Only for the person who has taken it. Idempotent. The agent then owes an answer to a last message of the customer
   * that this person has not seen. @throws Failure `forbidden`
   */
  returnToAgent(target: DeskTarget, person: Person): Promise<Handoff>;
  /** Ends the conversation. Idempotent. @throws Failure `forbidden` when another person has taken it */
  resolveConversation(target: DeskTarget, person: Person): Promise<{ id: string; status: "ended" }>;
}
