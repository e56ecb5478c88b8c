import type { Conversation } from "../../../shared/conversation.ts";
import { Failure } from "../../../shared/errors.ts";
import { type Handoff, HandoffStatus } from "../../../shared/handoff.ts";
import { Rating } from "../../../shared/rating.ts";
import { Route } from "../../../shared/route.ts";
import type { Owner } from "../owner.ts";
import { integer, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

export const CONVERSATION_COLUMNS = {
  id: text,
  workspace_id: text,
  customer_id: text,
  status: oneOf("open", "ended"),
  subject: nullable(text),
  route_json: text,
  locale: nullable(text),
  started_page: nullable(text),
  started_browser: nullable(text),
  last_seq: integer,
  bytes: integer,
  started_at: integer,
  last_at: integer,
  preview: text,
  handoff_id: nullable(text),
  handoff_status: nullable(oneOf(...HandoffStatus.options)),
  waiting_since: nullable(integer),
  unanswered_since: nullable(integer),
  customer_seq: integer,
  taken_by: nullable(text),
  taken_by_name: nullable(text),
  rating_json: nullable(text),
  read_by_customer: integer,
  read_by_human: integer,
  linked_to: nullable(text),
  linked_seq: nullable(integer),
};
export const ConversationRow = reader(CONVERSATION_COLUMNS);
export type ConversationRow = RowOf<typeof ConversationRow>;

/**
 * A conversation, if this customer of this workspace owns it. It is one query, so a foreign id and a missing one look
 * the same.
 *
 * @throws Failure `not_found`
 */
export function ownedRow(sql: Sql, owner: Owner, id: string): ConversationRow {
  const row = sql.one(
    ConversationRow,
    q`SELECT * FROM conversations
      WHERE id = ${id} AND workspace_id = ${owner.workspaceId} AND customer_id = ${owner.customerId}`,
  );
  if (!row) throw new Failure("not_found");
  return row;
}

export function routeOf(row: Pick<ConversationRow, "route_json">): Route {
  return Route.parse(JSON.parse(row.route_json));
}

/** Whether software answers now: never while a person was asked for or has joined. */
export function isAgentActive(row: Pick<ConversationRow, "status" | "handoff_status">): boolean {
  return row.status === "open" && !hasOpenHandoff(row);
}

export function hasOpenHandoff(row: Pick<ConversationRow, "handoff_status">): boolean {
  return row.handoff_status === "requested" || row.handoff_status === "accepted";
}

/** The newest handoff, in any state. */
export function handoffOf(row: ConversationRow): Handoff | undefined {
  if (row.handoff_id === null || row.handoff_status === null) return undefined;
  const named = row.handoff_status === "accepted" && row.taken_by_name !== null;
  return {
    id: row.handoff_id,
    status: row.handoff_status,
    ...(named ? { human: { name: row.taken_by_name } } : {}),
  };
}

export function conversationOf(row: ConversationRow): Conversation & { startedAt: string } {
  const handoff = handoffOf(row);
  const read = readOf(row);
  return {
    id: row.id,
    status: row.status,
    startedAt: new Date(row.started_at).toISOString(),
    ...(handoff ? { handoff } : {}),
    ...(row.rating_json === null ? {} : { rating: Rating.parse(JSON.parse(row.rating_json)) }),
    ...(read ? { read } : {}),
  };
}

/** How far each side has seen it; undefined where neither has. */
export function readOf(row: ConversationRow): Conversation["read"] {
  const { read_by_customer: customer, read_by_human: human } = row;
  if (customer === 0 && human === 0) return undefined;
  return { ...(customer > 0 ? { customer } : {}), ...(human > 0 ? { human } : {}) };
}
