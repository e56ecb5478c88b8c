import type { DurableEvent } from "../../../shared/event.ts";
import type { V1Id } from "../../../shared/v1/contract.ts";
import type { Published } from "../../live/hub.ts";

export interface KnownConversation {
  readonly id: string;
  /** The owner; changes when an anonymous conversation is linked. */
  externalId: string;
  readonly subject: string | undefined;
  isEnded: boolean;
  /** The log, as the service has committed it. */
  readonly events: DurableEvent[];
  /** Ids of the files that were uploaded. */
  readonly files: Set<string>;
}

/** The ids and tokens that a service has given out, read from its own answers and events. */
export interface Ledger {
  /** Session tokens that are valid, with their customer. */
  readonly tokens: Map<string, string>;
  /** Tokens that were valid: 401 for them is no mistake of the client's. */
  readonly ended: Set<string>;
  /** By id, in the order in which they began. */
  readonly conversations: Map<string, KnownConversation>;
  readonly take: (published: Published) => void;
  /** Reads a good answer. */
  readonly observe: (call: ObservedCall, answer: unknown) => void;
}

export interface ObservedCall {
  readonly operation: V1Id;
  /** The conversation's id in the path. */
  readonly id: string | undefined;
  readonly externalId: string;
  readonly body: Record<string, unknown>;
}

export function createLedger(): Ledger {
  const tokens = new Map<string, string>();
  const conversations = new Map<string, KnownConversation>();
  // The log's first event is published before the answer that names the conversation.
  const early = new Map<string, DurableEvent[]>();
  return {
    tokens,
    ended: new Set(),
    conversations,
    take({ conversationId, event }) {
      const known = conversations.get(conversationId);
      if (event.type === "conversation.ended" && known) known.isEnded = true;
      if (event.type === "conversation.erased") {
        if (known) known.events.length = 0;
        return;
      }
      if (!("seq" in event)) return;
      if (known) known.events.push(event);
      else early.set(conversationId, [...(early.get(conversationId) ?? []), event]);
    },
    observe({ operation, id, externalId, body }, answer) {
      const known = conversations.get(id ?? "");
      if (operation === "sessions") tokens.set(text(part(answer, "token")), text(body["externalId"]));
      if (operation === "attachments") known?.files.add(text(part(answer, "attachment", "id")));
      if (operation === "link" && known) known.externalId = text(body["linkedTo"]);
      if (operation !== "conversations") return;
      const started = text(part(answer, "conversation", "id"));
      // The same key again gives the first answer.
      if (conversations.has(started)) return;
      const subject = typeof body["subject"] === "string" ? body["subject"] : undefined;
      const events = early.get(started) ?? [];
      early.delete(started);
      conversations.set(started, {
        id: started,
        externalId,
        subject,
        isEnded: false,
        events,
        files: new Set(),
      });
    },
  };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function part(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
}
