import { DurableEvent } from "../../../shared/event.ts";
import { Message } from "../../../shared/message.ts";
import { integer, type RowOf, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

const Place = reader({ last_seq: integer, workspace_id: text });

type Without<Event, Keys extends PropertyKey> = Event extends unknown ? Omit<Event, Keys> : never;
type NewMessage = Omit<Message, "seq" | "at">;

/** An event before the log assigned its position: without seq and time. */
export type NewEvent =
  | Exclude<Without<DurableEvent, "seq" | "at">, { type: "message.created" }>
  | { readonly type: "message.created"; readonly message: NewMessage };

const EventRow = reader({ seq: integer, type: text, data_json: text, at: integer });
type EventRow = RowOf<typeof EventRow>;

/** Bounds the work of one page in the event loop of the service and of its reader. The longest answer fits. */
const MAX_PAGE_CHARACTERS = 64 * 1024;

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
  const { type, ...data } = event;
  const json = JSON.stringify(data);
  const place = tx.sql.one(
    Place,
    q`UPDATE conversations SET last_seq = last_seq + 1, bytes = bytes + ${Buffer.byteLength(json)},
       last_at = iif(${isOfAction(event) ? 1 : 0} AND status = 'ended', last_at, ${tx.now}),
       preview = coalesce(${preview}, preview),
       customer_seq = iif(${isOfCustomer(event) ? 1 : 0}, last_seq + 1, customer_seq),
       unanswered_since = CASE ${waitAfter(event)} WHEN 'begins' THEN coalesce(unanswered_since, ${tx.now})
         WHEN 'ends' THEN NULL ELSE unanswered_since END
     WHERE id = ${conversationId} RETURNING last_seq, workspace_id`,
  );
  if (!place) throw new Error("An event was appended to a conversation that is not there.");
  const { last_seq: seq, workspace_id: workspaceId } = place;
  tx.sql.run(
    q`INSERT INTO events (conversation_id, seq, type, data_json, at)
      VALUES (${conversationId}, ${seq}, ${type}, ${json}, ${tx.now})`,
  );
  if (event.type === "message.created" && event.message.role === "human") noteReply(tx, conversationId);
  const appended = DurableEvent.parse(placeEvent(event, seq, tx.now)) as Extract<
    DurableEvent,
    { type: E["type"] }
  >;
  tx.publish({ workspaceId, conversationId, event: appended });
  return appended;
}

/** Stores when a person first replied to the hand-off, unless they joined unasked: nobody waited for that. */
function noteReply(tx: Transaction, conversationId: string): void {
  tx.sql.run(
    q`UPDATE handoffs SET replied_at = ${tx.now}
      WHERE id = (SELECT handoff_id FROM conversations WHERE id = ${conversationId})
        AND replied_at IS NULL AND closed_at IS NULL AND accepted_at > requested_at`,
  );
}

/** The log of one conversation after a position, oldest first. The caller has checked who owns it. */
export function eventsAfter(sql: Sql, conversationId: string, after: number, limit: number): DurableEvent[] {
  return sql
    .all(
      EventRow,
      q`SELECT seq, type, data_json, at FROM events
        WHERE conversation_id = ${conversationId} AND seq > ${after} ORDER BY seq LIMIT ${limit}`,
    )
    .map(eventOf);
}

/** The newest events before a position, oldest first: at most `limit`, and as many of them as fit into one page. */
export function eventsBefore(
  sql: Sql,
  conversationId: string,
  before: number,
  limit: number,
): DurableEvent[] {
  const rows = sql.all(
    EventRow,
    q`SELECT seq, type, data_json, at FROM events
      WHERE conversation_id = ${conversationId} AND seq < ${before} ORDER BY seq DESC LIMIT ${limit}`,
  );
  let characters = 0;
  const tooMany = rows.findIndex(({ data_json }, index) => {
    characters += data_json.length;
    return index > 0 && characters > MAX_PAGE_CHARACTERS;
  });
  return (tooMany < 0 ? rows : rows.slice(0, tooMany)).reverse().map(eventOf);
}

/** The messages of one conversation after a position, oldest first. The caller has checked who owns it. */
export function messagesAfter(sql: Sql, conversationId: string, after: number, limit: number): Message[] {
  return sql
    .all(
      EventRow,
      q`SELECT seq, type, data_json, at FROM events
       WHERE conversation_id = ${conversationId} AND seq > ${after} AND type = 'message.created'
       ORDER BY seq LIMIT ${limit}`,
    )
    .map(messageOf);
}

/** The last `limit` messages up to and with a position, oldest first. */
export function messagesUpTo(sql: Sql, conversationId: string, seq: number, limit: number): Message[] {
  return sql
    .all(
      EventRow,
      q`SELECT seq, type, data_json, at FROM events
       WHERE conversation_id = ${conversationId} AND seq <= ${seq} AND type = 'message.created'
       ORDER BY seq DESC LIMIT ${limit}`,
    )
    .map(messageOf)
    .reverse();
}

export function messageAt(sql: Sql, conversationId: string, seq: number): Message {
  const row = sql.one(
    EventRow,
    q`SELECT seq, type, data_json, at FROM events WHERE conversation_id = ${conversationId} AND seq = ${seq}`,
  );
  if (!row) throw new Error("The log has nothing at a place that was written.");
  return messageOf(row);
}

function eventOf(row: EventRow): DurableEvent {
  return DurableEvent.parse(placeEvent({ type: row.type, ...JSON.parse(row.data_json) }, row.seq, row.at));
}

/** Adds what the row knows about an event: its seq and its time, and the same values for its message. */
function placeEvent(event: { readonly type: string; readonly message?: object }, seq: number, ms: number) {
  const at = new Date(ms).toISOString();
  const { message } = event;
  return { ...event, seq, at, ...(message ? { message: { ...message, seq, at } } : {}) };
}

/** Only the message, because an agent gets twenty of them for each answer. */
function messageOf({ type, data_json, seq, at }: EventRow): Message {
  if (type !== "message.created") throw new Error("The log has another event where a message was asked for.");
  return Message.parse({ ...JSON.parse(data_json).message, seq, at: new Date(at).toISOString() });
}

function isOfCustomer(event: NewEvent): boolean {
  return event.type === "message.created" && event.message.role === "customer";
}

/** After the end their results come without the customer: they don't make it the conversation that they were in last. */
function isOfAction(event: NewEvent): boolean {
  return event.type.startsWith("action.");
}

/** Whether the customer waits for an answer from now on, no longer, or as before. */
function waitAfter(event: NewEvent): "begins" | "ends" | "goes on" {
  switch (event.type) {
    case "message.created":
      // A piece of an answer, which a person interrupted or an agent did not finish, answers nothing.
      if (event.message.role === "system" || event.message.incomplete) return "goes on";
      return event.message.role === "customer" ? "begins" : "ends";
    case "handoff.requested":
      return "begins";
    case "handoff.returned":
    case "handoff.failed":
    case "conversation.ended":
      return "ends";
    default:
      return "goes on";
  }
}

/** Only what people wrote: agents' answers begin alike and would make every row of the queue look the same. */
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
