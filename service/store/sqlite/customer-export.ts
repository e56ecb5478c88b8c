import { Rating } from "../../../shared/rating.ts";
import { Route } from "../../../shared/route.ts";
import { Traits } from "../../../shared/traits.ts";
import type { CustomerExport } from "../erasure.ts";
import { feedbackOf } from "./answer-feedback.ts";
import { integer, json, nullable, reader, text } from "./columns.ts";
import { eventsAfter } from "./event-log.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

const Selection = reader({ route_json: json(Route), locale: nullable(text), at: integer });

const CustomerRow = reader({
  external_id: text,
  email: nullable(text),
  contact_email: nullable(text),
  display_name: nullable(text),
  team_name: nullable(text),
  team_email: nullable(text),
  attributes_json: json(Traits),
  created_at: integer,
  updated_at: integer,
});

const ConversationRow = reader({
  id: text,
  status: text,
  subject: nullable(text),
  route_json: json(Route),
  locale: nullable(text),
  started_page: nullable(text),
  started_browser: nullable(text),
  started_at: integer,
  rating_json: nullable(json(Rating)),
  started_by: nullable(text),
  linked_to: nullable(text),
  linked_seq: nullable(integer),
});

const FileRow = reader({
  id: text,
  name: text,
  type: text,
  size: integer,
  sha256: text,
  message_seq: nullable(integer),
  created_at: integer,
});

const HandoffRow = reader({
  id: text,
  status: text,
  reason: nullable(text),
  current_intent: nullable(text),
  transcript: nullable(text),
  requested_at: integer,
  user_name: nullable(text),
});

const NO_LIMIT = -1;
const instant = (ms: number) => new Date(ms).toISOString();

/** Everything that is stored about one customer, in the contract's terms. The caller has checked that they exist. */
export function readCustomerExport(sql: Sql, customerId: string): CustomerExport {
  const customer = customerOf(sql, customerId);
  if (!customer) throw new Error("The customer to export does not exist.");
  const conversations = sql.all(
    ConversationRow,
    q`SELECT * FROM conversations WHERE customer_id = ${customerId} ORDER BY started_at, id`,
  );
  const selections = sql.all(
    Selection,
    q`SELECT route_json, locale, at FROM selections WHERE customer_id = ${customerId} ORDER BY at`,
  );
  return {
    customer,
    selections: selections.map(({ route_json, locale, at }) => ({
      route: route_json,
      locale,
      at: instant(at),
    })),
    conversations: conversations.map((row) => ({
      id: row.id,
      status: row.status,
      subject: row.subject,
      route: row.route_json,
      locale: row.locale,
      startedAt: instant(row.started_at),
      startedFrom: { page: row.started_page, browser: row.started_browser },
      rating: row.rating_json,
      feedback: feedbackOf(sql, row.id),
      // Until they signed in, what was typed about them was stored for the visitor.
      startedBy: row.started_by === null ? null : (customerOf(sql, row.started_by) ?? null),
      linked: row.linked_to === null ? null : { externalId: row.linked_to, afterSeq: row.linked_seq },
      events: eventsAfter(sql, row.id, 0, NO_LIMIT),
      files: sql
        .all(FileRow, q`SELECT * FROM attachments WHERE conversation_id = ${row.id} ORDER BY created_at, id`)
        .map((file) => ({
          // The bytes are under this name in the folder of files.
          id: file.id,
          name: file.name,
          type: file.type,
          size: file.size,
          sha256: file.sha256,
          isSent: file.message_seq !== null,
          at: instant(file.created_at),
        })),
      handoffs: sql
        .all(HandoffRow, q`SELECT * FROM handoffs WHERE conversation_id = ${row.id} ORDER BY requested_at`)
        .map((handoff) => ({
          id: handoff.id,
          status: handoff.status,
          reason: handoff.reason,
          currentIntent: handoff.current_intent,
          transcript: handoff.transcript,
          requestedAt: instant(handoff.requested_at),
          human: handoff.user_name,
        })),
    })),
  };
}

function customerOf(sql: Sql, id: string) {
  const row = sql.one(CustomerRow, q`SELECT * FROM customers WHERE id = ${id}`);
  if (!row) return undefined;
  return {
    externalId: row.external_id,
    email: row.email,
    contactEmail: row.contact_email,
    displayName: row.display_name,
    teamName: row.team_name,
    teamEmail: row.team_email,
    attributes: row.attributes_json,
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  };
}
