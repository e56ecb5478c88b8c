import { DatabaseSync } from "node:sqlite";
import type { Message } from "../../shared/message.ts";

/** The service's data, read directly from its file: every screen is compared with it. */
export interface Ledger {
  /** The messages of one conversation in the order of their seq. */
  readonly messagesOf: (conversationId: string) => Message[];
  /** How many messages contain this text, in all conversations. */
  readonly countOf: (body: string) => number;
  /** How many conversations have a message that contains this text. */
  readonly conversationsWith: (body: string) => number;
  /** How many of the customer's messages the agent still has to answer. */
  readonly unanswered: (conversationId: string) => number;
  /** Texts of the messages that contain `part`, in the order of their conversation. */
  readonly bodiesWith: (part: string) => string[];
  /** The same, each with the customer that the service stored it for. */
  readonly ownersOf: (part: string) => { readonly owner: string; readonly body: string }[];
  /** Whether this message is stored, by the id that the service assigned. */
  readonly hasMessage: (id: string) => boolean;
  /** Whether a message with this key is stored, in whichever conversation. */
  readonly hasKey: (clientMessageId: string) => boolean;
  /** How many messages are stored. */
  readonly count: () => number;
  /** Conversations whose sequence has a gap or a wrong length. */
  readonly holes: () => number;
  readonly close: () => void;
}

export function openLedger(path: string): Ledger {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  const ofConversation = database.prepare(
    "SELECT data_json AS data FROM events WHERE conversation_id = ? AND type = 'message.created' ORDER BY seq",
  );
  const withBody = database.prepare(
    `SELECT count(*) AS many FROM events WHERE type = 'message.created' AND instr(data_json, ?) > 0`,
  );
  const conversations = database.prepare(
    `SELECT count(DISTINCT conversation_id) AS many FROM events WHERE type = 'message.created' AND instr(data_json, ?) > 0`,
  );
  const holding = database.prepare(
    `SELECT data_json AS data FROM events
     WHERE type = 'message.created' AND instr(data_json, ?) > 0 ORDER BY conversation_id, seq`,
  );
  const owned = database.prepare(
    `SELECT data_json AS data, cu.external_id AS owner FROM events e
     JOIN conversations c ON c.id = e.conversation_id JOIN customers cu ON cu.id = c.customer_id
     WHERE type = 'message.created' AND instr(data_json, ?) > 0`,
  );
  const unanswered = database.prepare(
    "SELECT count(*) AS many FROM pending_answers WHERE conversation_id = ?",
  );
  const withKey = database.prepare("SELECT 1 FROM message_keys WHERE client_message_id = ? LIMIT 1");
  const withId = database.prepare(
    `SELECT 1 FROM events WHERE type = 'message.created' AND data_json ->> '$.message.id' = ? LIMIT 1`,
  );
  const all = database.prepare("SELECT count(*) AS many FROM events WHERE type = 'message.created'");
  const holes = database.prepare(
    `SELECT count(*) AS many FROM conversations c
     WHERE last_seq <> (SELECT count(*) FROM events e WHERE e.conversation_id = c.id)
        OR last_seq <> (SELECT coalesce(max(seq), 0) FROM events e WHERE e.conversation_id = c.id)`,
  );
  return {
    messagesOf: (id) => ofConversation.all(id).map((row) => messageIn(JSON.parse(String(row["data"])))),
    countOf: (body) => Number(withBody.get(JSON.stringify(body))?.["many"]),
    conversationsWith: (body) => Number(conversations.get(JSON.stringify(body))?.["many"]),
    bodiesWith: (part) => holding.all(part).map((row) => messageIn(JSON.parse(String(row["data"]))).body),
    ownersOf: (part) =>
      owned.all(part).map((row) => ({
        owner: String(row["owner"]),
        body: messageIn(JSON.parse(String(row["data"]))).body,
      })),
    unanswered: (id) => Number(unanswered.get(id)?.["many"]),
    hasMessage: (id) => withId.get(id) !== undefined,
    hasKey: (key) => withKey.get(key) !== undefined,
    count: () => Number(all.get()?.["many"]),
    holes: () => Number(holes.get()?.["many"]),
    close: () => database.close(),
  };
}

function messageIn(data: Message | { readonly message: Message }): Message {
  return "message" in data ? data.message : data;
}
