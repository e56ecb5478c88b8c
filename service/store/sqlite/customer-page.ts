import { DeskState } from "../../../shared/desk.ts";
import { Rating } from "../../../shared/rating.ts";
import { Traits } from "../../../shared/traits.ts";
import type { HistoryPlace } from "../conversations.ts";
import type { CustomerPage, CustomerTarget, ErasedCustomer } from "../desk.ts";
import { integer, json, nullable, oneOf, reader, text } from "./columns.ts";
import { NEWEST, ownPage, pastOf } from "./conversation-history.ts";
import { customerOf } from "./desk-view.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

const CustomerRow = reader({
  id: text,
  external_id: text,
  display_name: nullable(text),
  email: nullable(text),
  attributes_json: json(Traits),
  contact_email: nullable(text),
  team_name: nullable(text),
  team_email: nullable(text),
  created_at: integer,
  locale: nullable(text),
  started_page: nullable(text),
  started_browser: nullable(text),
  spoke_at: nullable(integer),
});
const StandRow = reader({
  last_at: integer,
  preview: text,
  desk_state: oneOf(...DeskState.options),
  rating_json: nullable(json(Rating)),
});
const ErasedRow = reader({ at: integer });

/** A customer with a page of their conversations, newest first; of an erased one only since when nothing is stored. */
export function readCustomerPage(
  sql: Sql,
  { workspaceId, customerId }: CustomerTarget,
  after: HistoryPlace = NEWEST,
  limit: number,
): CustomerPage | ErasedCustomer | undefined {
  const row = sql.one(
    CustomerRow,
    q`SELECT c.*, v.locale, v.started_page, v.started_browser,
        (SELECT max(e.at) FROM conversations n JOIN events e ON e.conversation_id = n.id AND e.seq = n.customer_seq
          WHERE n.customer_id = c.id) AS spoke_at
      FROM customers c LEFT JOIN conversations v ON v.id = (
        SELECT n.id FROM conversations n WHERE n.customer_id = c.id ORDER BY n.started_at DESC, n.id DESC LIMIT 1)
      WHERE c.id = ${customerId} AND c.workspace_id = ${workspaceId}`,
  );
  if (!row) return erased(sql, { workspaceId, customerId });
  const { rows, ...next } = ownPage(sql, { workspaceId, customerId }, after, limit);
  return {
    id: row.id,
    customer: {
      ...customerOf({ ...row, visit: 0 }),
      ...(row.email === null ? {} : { email: row.email }),
      traits: row.attributes_json,
    },
    ...(row.contact_email === null ? {} : { contact: { email: row.contact_email } }),
    firstSeenAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(Math.max(row.created_at, row.spoke_at ?? 0)).toISOString(),
    conversations: rows.map((each) => ({ ...pastOf(sql, each), ...standOf(sql, each.id) })),
    ...next,
  };
}

/** The fields of a conversation that the team sees besides those in its customer's own list. */
function standOf(sql: Sql, id: string) {
  const row = sql.one(
    StandRow,
    q`SELECT last_at, preview, desk_state, rating_json FROM conversations WHERE id = ${id}`,
  );
  if (!row) throw new Error("A conversation that was listed is missing.");
  return {
    state: row.desk_state,
    lastAt: new Date(row.last_at).toISOString(),
    lastWords: row.preview,
    ...(row.rating_json === null ? {} : { rating: row.rating_json }),
  };
}

/** Only the audit log still knows an erased customer, by an id that says nothing about them. */
function erased(sql: Sql, { workspaceId, customerId }: CustomerTarget): ErasedCustomer | undefined {
  const row = sql.one(
    ErasedRow,
    q`SELECT at FROM audit_log
      WHERE workspace_id = ${workspaceId} AND action = 'customer.erased' AND target = ${customerId}`,
  );
  return row && { id: customerId, erasedAt: new Date(row.at).toISOString() };
}
