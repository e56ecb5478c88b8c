import { randomBytes } from "node:crypto";
import type { DurableEvent, LiveEvent } from "../../shared/event.ts";
import type { Handoff } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import type { Rating } from "../../shared/rating.ts";
import type { StoredFile } from "./files.ts";

export interface StoredConversation {
  readonly id: string;
  /** The owner; changes when an anonymous conversation is linked. */
  externalId: string;
  readonly subject: string | undefined;
  status: "open" | "ended";
  handoff: Handoff | undefined;
  rating?: Rating;
  isErased?: boolean;
  /** By id. */
  readonly files: Map<string, StoredFile>;
  readonly events: DurableEvent[];
  /** By `clientMessageId`: what was written and the answer that it got. */
  readonly turns: Map<string, { readonly body: string; readonly answer: unknown }>;
  readonly listeners: Set<(event: DurableEvent | LiveEvent) => void>;
}

type Unnumbered<E> = E extends DurableEvent ? Omit<E, "seq" | "at"> : never;
/** An event of the log before the log gave it its place. */
export type NewEvent = Unnumbered<Exclude<DurableEvent, { type: "message.created" }>>;
export type NewMessage = Omit<Message, "id" | "seq" | "at"> & { readonly id?: string };

export interface UpstreamState {
  /** Profiles by `externalId`, as the last identify or session wrote them. */
  readonly customers: Map<string, unknown>;
  /** Session tokens that were issued, with their customer. */
  readonly tokens: Map<string, string>;
  /** Tokens that were issued and are over: a 401 for them is no mistake of the client's. */
  readonly ended: Set<string>;
  readonly conversations: Map<string, StoredConversation>;
  /** Idempotency records: key and endpoint, with the body's JSON and the first answer. */
  readonly keys: Map<string, { readonly body: string; readonly answer: unknown }>;
  readonly newId: (prefix: string) => string;
  readonly append: (conversation: StoredConversation, event: NewEvent) => DurableEvent;
  readonly addMessage: (conversation: StoredConversation, message: NewMessage) => Message;
  readonly signal: (conversation: StoredConversation, event: LiveEvent) => void;
}

/** The mock's memory. Ids are random so that an id of another test can't be right by chance. */
export function createState(): UpstreamState {
  const newId = (prefix: string) => `${prefix}_${randomBytes(9).toString("hex")}`;

  function publish(conversation: StoredConversation, event: DurableEvent): void {
    conversation.events.push(event);
    for (const listener of conversation.listeners) listener(event);
  }
  function place(conversation: StoredConversation) {
    return { seq: conversation.events.length + 1, at: new Date().toISOString() };
  }
  function append(conversation: StoredConversation, event: NewEvent): DurableEvent {
    const placed = { ...event, ...place(conversation) } as DurableEvent;
    publish(conversation, placed);
    return placed;
  }
  function addMessage(conversation: StoredConversation, message: NewMessage): Message {
    const { seq, at } = place(conversation);
    const stored: Message = { ...message, id: message.id ?? newId("msg"), seq, at };
    publish(conversation, { type: "message.created", seq, at, message: stored });
    return stored;
  }
  return {
    customers: new Map(),
    tokens: new Map(),
    ended: new Set(),
    conversations: new Map(),
    keys: new Map(),
    newId,
    append,
    addMessage,
    signal: (conversation, event) => {
      for (const listener of conversation.listeners) listener(event);
    },
  };
}
