import { Failure } from "../../../shared/errors.ts";
import { FIRST_WORDS, type PastConversation } from "../../../shared/v1/history.ts";
import type { HistoryPage, HistoryPlace } from "../conversations.ts";
import type { DeskTarget } from "../desk.ts";
import type { Owner } from "../owner.ts";
import { integer, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { eventsAfter, eventsBefore, messageAt } from "./event-log.ts";
import { type Query, q } from "./query.ts";
import type { Sql } from "./sql.ts";

export const OwnRow = reader({
  id: text,
  status: oneOf("open", "ended"),
  subject: nullable(text),
  started_at: integer,
  last_seq: integer,
});
export type OwnRow = RowOf<typeof OwnRow>;
const LastSeq = reader({ seq: nullable(integer) });

/** Entries at each end of a log that a list reads. The end is among the last ones: only ratings follow it. */
const LOOKED_AT = 8;

/** The place before every conversation. */
export const NEWEST: HistoryPlace = { startedAt: Number.MAX_SAFE_INTEGER, id: "" };

/** The customer's conversations after a place, newest first. An index holds them in this order. */
export function ownConversations(owner: Owner, after: HistoryPlace, limit: number): Query {
  return q`SELECT id, status, subject, started_at, last_seq FROM conversations
    WHERE workspace_id = ${owner.workspaceId} AND customer_id = ${owner.customerId}
      AND (started_at, id) < (${after.startedAt}, ${after.id})
    ORDER BY started_at DESC, id DESC LIMIT ${limit}`;
}

/** One page of them, and the place of the next one if there are more. */
export function ownPage(sql: Sql, owner: Owner, after: HistoryPlace, limit: number) {
  const found = sql.all(OwnRow, ownConversations(owner, after, limit + 1));
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, ...(last ? { next: { startedAt: last.started_at, id: last.id } } : {}) };
}

/** A page of the customer's conversations. The query names the owner, so that no other customer's are found. */
export async function listOwn(
  sql: Sql,
  owner: Owner,
  after: HistoryPlace = NEWEST,
  limit: number,
): Promise<HistoryPage> {
  const { rows, ...next } = ownPage(sql, owner, after, limit);
  return { conversations: rows.map((row) => pastOf(sql, row)), ...next };
}

const Begun = reader({ customer_id: text, started_at: integer });

/**
 * A page of what the customer of a conversation began before it. With an `after` of another list it still holds only
 * this customer's, and none that began later. @throws Failure `not_found` for a conversation of another workspace
 */
export function listEarlier(
  sql: Sql,
  { workspaceId, conversationId: id }: DeskTarget,
  after: HistoryPlace | undefined,
  limit: number,
): Promise<HistoryPage> {
  const begun = sql.one(
    Begun,
    q`SELECT customer_id, started_at FROM conversations WHERE id = ${id} AND workspace_id = ${workspaceId}`,
  );
  if (!begun) throw new Failure("not_found");
  const owner = { workspaceId, customerId: begun.customer_id };
  const here = { startedAt: begun.started_at, id };
  return listOwn(sql, owner, after && isBefore(after, here) ? after : here, limit);
}

function isBefore(one: HistoryPlace, other: HistoryPlace): boolean {
  return one.startedAt === other.startedAt ? one.id < other.id : one.startedAt < other.startedAt;
}

/** A conversation as its customer's list shows it. */
export function pastOf(sql: Sql, row: OwnRow): PastConversation {
  const first = eventsAfter(sql, row.id, 0, LOOKED_AT);
  const messages = first.flatMap((event) => (event.type === "message.created" ? event.message : []));
  const firstWords = wordsOf(messages.find(({ role }) => role === "customer")?.body ?? row.subject ?? "");
  const answeredBy = personOf(sql, row.id) ?? authorOf(messages.findLast(({ role }) => role === "agent"));
  const end =
    row.status === "ended"
      ? eventsBefore(sql, row.id, row.last_seq + 1, LOOKED_AT).findLast(
          (event) => event.type === "conversation.ended",
        )
      : undefined;
  return {
    id: row.id,
    status: row.status,
    startedAt: new Date(row.started_at).toISOString(),
    ...(firstWords ? { firstWords } : {}),
    ...(answeredBy ? { answeredBy } : {}),
    ...(end?.type === "conversation.ended" ? { ended: { at: end.at, by: end.by } } : {}),
  };
}

/** The last person who wrote: people's messages have keys with another author than the customer's. */
function personOf(sql: Sql, id: string): PastConversation["answeredBy"] {
  const last = sql.one(
    LastSeq,
    q`SELECT max(seq) AS seq FROM message_keys WHERE conversation_id = ${id} AND author <> 'customer'`,
  );
  const seq = last?.seq ?? undefined;
  return seq === undefined ? undefined : authorOf(messageAt(sql, id, seq));
}

function authorOf(
  message: { readonly role: string; readonly author?: { readonly name: string } | undefined } | undefined,
): PastConversation["answeredBy"] {
  if (message?.role !== "agent" && message?.role !== "human") return undefined;
  return { role: message.role, ...(message.author ? { name: message.author.name } : {}) };
}

/** The beginning of a text, on one line. */
export function wordsOf(body: string): string {
  return body.replace(/\s+/g, " ").trim().slice(0, FIRST_WORDS).toWellFormed().trim();
}
