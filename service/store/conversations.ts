import * as z from "zod/mini";
import type { AskedAction } from "../../shared/action.ts";
import { Conversation, type Mark } from "../../shared/conversation.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { FeedbackChange } from "../../shared/feedback.ts";
import { Instant } from "../../shared/id.ts";
import type { Message } from "../../shared/message.ts";
import type { Rating } from "../../shared/rating.ts";
import { Route } from "../../shared/route.ts";
import type { StartedFrom } from "../../shared/v1/conversations.ts";
import type { PastConversation } from "../../shared/v1/history.ts";
import type { Idempotency } from "./idempotency.ts";
import type { LeaseTerms } from "./lease-terms.ts";
import type { Owner } from "./owner.ts";

export const StartedConversation = z.extend(Conversation, { startedAt: Instant, route: Route });
export type StartedConversation = z.infer<typeof StartedConversation>;

/** How long a conversation may get. Customers write into it until it is reached; answers to them still fit. */
export interface ConversationLimits {
  /** Entries of the log: messages, hand-offs, ratings. */
  readonly entries: number;
  /** All entries as JSON, in bytes. */
  readonly bytes: number;
}

/** Some weeks of talk. Reading a whole log, as an export or an erasure does, takes less than a tenth of a second. */
export const USUAL_LIMITS: ConversationLimits = { entries: 2000, bytes: 4_000_000 };

export interface NewConversation {
  readonly subject: string | undefined;
  readonly route: Route;
  readonly locale: string | undefined;
  readonly startedFrom?: StartedFrom | undefined;
}

export interface NewTurn {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
  /** The owner of this turn's answer, if no earlier answer is owed. Without it the answer waits for a `claim`. */
  readonly lease?: LeaseTerms;
}

/** One page of a conversation: the messages, and the hand-offs and the end between them. */
export interface Transcript {
  readonly conversation: Conversation;
  readonly messages: Message[];
  readonly marks: Mark[];
  /** The actions that were asked for on this page, in their current state. */
  readonly actions?: AskedAction[];
  readonly lastSeq: number;
  /** The start of the next page; undefined at the end of the log. */
  readonly nextAfter?: number | undefined;
  /** The end of the page before this one; undefined at the beginning of the log. */
  readonly nextBefore?: number | undefined;
}

export interface Turn {
  readonly message: Message;
  /** The id that the agent's answer has or will have; undefined when no agent was asked. */
  readonly answerId: string | undefined;
}

/** The start of a page of a customer's conversations: the place of one of them, from the newest to the oldest. */
export interface HistoryPlace {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly id: string;
}

export interface HistoryPage {
  readonly conversations: PastConversation[];
  /** The last of this page; undefined where no older conversation exists. */
  readonly next?: HistoryPlace | undefined;
}

/** An anonymous visitor, and the customer that they signed in as. */
export interface ConversationLink {
  readonly externalId: string;
  readonly linkedTo: string;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike */
export interface ConversationStore {
  /** @throws Failure `key_reused`, `unauthenticated` when the customer no longer exists */
  start(
    owner: Owner,
    conversation: NewConversation,
    idempotency: Idempotency | undefined,
  ): Promise<StartedConversation>;
  /** The customer's own conversations after a place, newest first: at most `limit`. */
  listOwn(owner: Owner, after: HistoryPlace | undefined, limit: number): Promise<HistoryPage>;
  /**
   * Those of them whose messages contain all words of `text`, newest first: at most `limit`. One call reads a bounded
   * amount of text, so a page may be short and still have a `next`.
   */
  searchOwn(owner: Owner, text: string, after: HistoryPlace | undefined, limit: number): Promise<HistoryPage>;
  /** Stores the customer's latest rating; the same one again changes nothing. @throws Failure `conversation_full` */
  rate(owner: Owner, id: string, rating: Rating): Promise<Rating>;
  /**
   * Stores what the customer says of one answer of an agent, or removes it. Idempotent.
   * @throws Failure `not_found` also for a message that is no such answer
   */
  giveFeedback(owner: Owner, id: string, feedback: FeedbackChange): Promise<void>;
  /**
   * The customer has seen everything up to `seq`; returns how far they have seen.
   * @throws Failure `bad_request` for a seq beyond the log
   */
  markRead(owner: Owner, id: string, seq: number): Promise<number>;
  /** The log after a position, at most `limit` events, with the newest seq that exists. */
  readEvents(
    owner: Owner,
    id: string,
    after: number,
    limit: number,
  ): Promise<{
    events: DurableEvent[];
    lastSeq: number;
    read: Conversation["read"];
  }>;
  /** Reads at most `limit` events of the log after a position. */
  readTranscript(owner: Owner, id: string, after: number, limit: number): Promise<Transcript>;
  /** Reads the newest events of the log before a position: at most `limit`, and fewer where they are large. */
  readTranscriptBefore(owner: Owner, id: string, before: number, limit: number): Promise<Transcript>;
  /** @throws Failure `conversation_ended`, `conversation_full`, `key_reused`, `file_gone` */
  addTurn(owner: Owner, id: string, turn: NewTurn): Promise<Turn>;
  /**
   * Gives a visitor's conversation to the customer that they signed in as. Idempotent; nobody else can get it
   * afterwards.
   */
  link(workspaceId: string, id: string, link: ConversationLink): Promise<void>;
  /**
   * Opens an ended conversation again; the agent answers in it. Idempotent. @throws Failure `conversation_full`
   */
  reopen(owner: Owner, id: string): Promise<{ id: string; status: "open" }>;
  /** Ends it, and stores what an agent had shown of its answer. Idempotent. */
  end(owner: Owner, id: string): Promise<{ id: string; status: "ended" }>;
}
