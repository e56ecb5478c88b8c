import type { Conversation, Mark } from "../../shared/conversation.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Route } from "../../shared/route.ts";
import type { ReadPartial } from "./answers.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

export interface StartedConversation extends Conversation {
  readonly status: "open" | "ended";
  readonly startedAt: string;
  readonly route: Route;
}

export interface NewTurn {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
}

export interface Transcript {
  readonly conversation: Conversation;
  readonly messages: Message[];
  readonly marks: Mark[];
  readonly lastSeq: number;
}

export interface Turn {
  readonly message: Message;
  /** The id that the agent's answer has or will have; undefined when no agent was asked. */
  readonly answerId: string | undefined;
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
  readTranscript(owner: Owner, id: string, after: number): Promise<Transcript>;
  /** @throws Failure `conversation_ended`, `key_reused`, `file_gone` */
  addTurn(owner: Owner, id: string, turn: NewTurn): Promise<Turn>;
  /** Ends it; once more is the same. */
  end(owner: Owner, id: string, readPartial: ReadPartial): Promise<{ id: string; status: "ended" }>;
}
