import type { DurableEvent } from "../../../shared/event.ts";
import type { Message } from "../../../shared/message.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

type Without<Event, Keys extends PropertyKey> = Event extends unknown ? Omit<Event, Keys> : never;
type NewMessage = Omit<Message, "seq" | "at">;

/** An event before the log gave it its place: without seq and time. */
export type NewEvent =
  | Exclude<Without<DurableEvent, "seq" | "at">, { type: "message.created" }>
  | { readonly type: "message.created"; readonly message: NewMessage };

export interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly data_json: string;
  readonly at: number;
}

/** Characters of the newest message of a person that the desk's queue shows. */
const PREVIEW_CHARACTERS = 160;

/**
 * Appends to a conversation's log: the next seq, the row, and the conversation's own position in one transaction.
 * The event is published once that transaction is on disk.
 */
export function appendEvent<const E extends NewEvent>(
  tx: Transaction,
  conversationId: string,
  event: E,
): Extract<DurableEvent, { type: E["type"] }> {
  const preview = event.type === "message.created" ? previewOf(event.message) : null;
  const place = tx.sql.one<{ last_seq: number; workspace_id: string }>(
    `UPDATE conversations SET last_seq = last_seq + 1, last_at = ?, preview = coalesce(?, preview)
     WHERE id = ? RETURNING last_seq, workspace_id`,
    tx.now,
    preview,
    conversationId,
  );
  if (!place) throw new Error("An event was appended to a conversation that is not there.");
  const { type, ...data } = event;
  const row = { seq: place.last_seq, type, data_json: JSON.stringify(data), at: tx.now };
  tx.sql.run(
    "INSERT INTO events (conversation_id, seq, type, data_json, at) VALUES (?, ?, ?, ?, ?)",
    conversationId,
    row.seq,
    row.type,
    row.data_json,
    row.at,
  );
  const appended = eventOf(row);
  tx.publish({ workspaceId: place.workspace_id, conversationId, event: appended });
  return appended as Extract<DurableEvent, { type: E["type"] }>;
}

/** The log of one conversation after a position, oldest first. The caller has checked who owns it. */
export function eventsAfter(sql: Sql, conversationId: string, after: number, limit: number): DurableEvent[] {
  return sql
    .all<EventRow>(
      "SELECT seq, type, data_json, at FROM events WHERE conversation_id = ? AND seq > ? ORDER BY seq LIMIT ?",
      conversationId,
      after,
      limit,
    )
    .map(eventOf);
}

/** The messages of one conversation after a position, oldest first. The caller has checked who owns it. */
export function messagesAfter(sql: Sql, conversationId: string, after: number, limit: number): Message[] {
  return sql
    .all<EventRow>(
      `SELECT seq, type, data_json, at FROM events
       WHERE conversation_id = ? AND seq > ? AND type = 'message.created' ORDER BY seq LIMIT ?`,
      conversationId,
      after,
      limit,
    )
    .map(messageOf);
}

/** The last `limit` messages up to and with a position, oldest first. */
export function messagesUpTo(sql: Sql, conversationId: string, seq: number, limit: number): Message[] {
  return sql
    .all<EventRow>(
      `SELECT seq, type, data_json, at FROM events
       WHERE conversation_id = ? AND seq <= ? AND type = 'message.created' ORDER BY seq DESC LIMIT ?`,
      conversationId,
      seq,
      limit,
    )
    .map(messageOf)
    .reverse();
}

export function messageAt(sql: Sql, conversationId: string, seq: number): Message {
  const row = sql.one<EventRow>(
    "SELECT seq, type, data_json, at FROM events WHERE conversation_id = ? AND seq = ?",
    conversationId,
    seq,
  );
  if (row?.type !== "message.created") throw new Error("The log has no message at a place that was written.");
  return messageOf(row);
}

function eventOf(row: EventRow): DurableEvent {
  const data = JSON.parse(row.data_json);
  const at = new Date(row.at).toISOString();
  if (row.type === "message.created") {
    return { type: "message.created", seq: row.seq, at, message: { ...data.message, seq: row.seq, at } };
  }
  // Only `appendEvent` writes this table, and it takes no other form.
  return { type: row.type, seq: row.seq, at, ...data } as DurableEvent;
}

function messageOf(row: EventRow): Message {
  const event = eventOf(row);
  if (event.type !== "message.created")
    throw new Error("The log has another event where a message was asked for.");
  return event.message;
}

/** What people wrote: an agent's answers begin alike and would make every row of the queue look the same. */
function previewOf({
  role,
  body,
  attachments = [],
}: Pick<Message, "role" | "body" | "attachments">): string | null {
  if (role !== "customer" && role !== "human") return null;
  return [body, ...attachments.map(({ name }) => name)]
    .join(" ")
    .slice(0, PREVIEW_CHARACTERS)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim();
}
