import * as z from "zod/mini";
import { Conversation, type Mark } from "../../shared/conversation.ts";
import type { DurableEvent } from "../../shared/event.ts";
import { Instant } from "../../shared/id.ts";
import type { Message } from "../../shared/message.ts";
import type { Rating } from "../../shared/rating.ts";
import { Route } from "../../shared/route.ts";
import type { LeaseTerms } from "./answers.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

export const StartedConversation = z.extend(Conversation, { startedAt: Instant, route: Route });
export type StartedConversation = z.infer<typeof StartedConversation>;

export interface NewTurn {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
  /** Who answers this turn, where no answer to an earlier one is owed. Without it the answer waits for a `claim`. */
  readonly lease?: LeaseTerms;
}

/** One page of a conversation: the messages, and the hand-offs and the end between them. */
export interface Transcript {
  readonly conversation: Conversation;
  readonly messages: Message[];
  readonly marks: Mark[];
  readonly lastSeq: number;
  /** Where the next page begins; undefined at the end of the log. */
  readonly nextAfter: number | undefined;
}

export interface Turn {
  readonly message: Message;
  /** The id that the agent's answer has or will have; undefined when no agent was asked. */
  readonly answerId: string | undefined;
}

/** An anonymous visitor, and the customer that they signed in as. */
export interface ConversationLink {
  readonly externalId: string;
  readonly linkedTo: string;
}

/** Every call: @throws Failure `not_found` for a missing and for a foreign id alike */
export interface ConversationStore {
  /** @throws Failure `key_reused`, `unauthenticated` when the customer is gone */
  start(
    owner: Owner,
    conversation: { subject: string | undefined; route: Route; locale: string | undefined },
    idempotency: Idempotency | undefined,
  ): Promise<StartedConversation>;
  /** What was said of it last; the same once more changes nothing. */
  rate(owner: Owner, id: string, rating: Rating): Promise<Rating>;
  /** The customer has seen everything up to `seq`; gives how far they have seen. */
  markRead(owner: Owner, id: string, seq: number): Promise<number>;
  /** The log after a position, at most `limit` events, with the newest seq there is. */
  readEvents(
    owner: Owner,
    id: string,
    after: number,
    limit: number,
  ): Promise<{
    events: DurableEvent[];
    lastSeq: number;
    workspaceId: string;
    read: Conversation["read"];
  }>;
  /** Reads at most `limit` events of the log after a position. */
  readTranscript(owner: Owner, id: string, after: number, limit: number): Promise<Transcript>;
  /** @throws Failure `conversation_ended`, `key_reused`, `file_gone` */
  addTurn(owner: Owner, id: string, turn: NewTurn): Promise<Turn>;
  /** Gives a visitor's conversation to the customer that they signed in as. Idempotent; nobody else gets it afterwards. */
  link(workspaceId: string, id: string, link: ConversationLink): Promise<void>;
  /** Ends it, and stores what an agent had shown of its answer. Idempotent. */
  end(owner: Owner, id: string): Promise<{ id: string; status: "ended" }>;
}
