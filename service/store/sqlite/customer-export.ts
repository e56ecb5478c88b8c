import type { CustomerExport } from "../erasure.ts";
import { eventsAfter } from "./event-log.ts";
import type { Sql } from "./sql.ts";

interface CustomerRow {
  readonly external_id: string;
  readonly email: string | null;
  readonly display_name: string | null;
  readonly attributes_json: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface ConversationRow {
  readonly id: string;
  readonly status: string;
  readonly subject: string | null;
  readonly route_json: string;
  readonly locale: string | null;
  readonly started_at: number;
  readonly rating_json: string | null;
  readonly linked_to: string | null;
  readonly linked_seq: number | null;
}

interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly message_seq: number | null;
  readonly created_at: number;
}

interface HandoffRow {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly current_intent: string | null;
  readonly transcript: string | null;
  readonly requested_at: number;
  readonly user_name: string | null;
}

const NO_LIMIT = -1;
const instant = (ms: number) => new Date(ms).toISOString();

/** Everything that the service keeps of one customer, in words of the contract; the customer is there. */
export function readCustomerExport(sql: Sql, customerId: string): CustomerExport {
  const customer = sql.one<CustomerRow>("SELECT * FROM customers WHERE id = ?", customerId);
  if (!customer) throw new Error("A customer was exported who is not there.");
  const conversations = sql.all<ConversationRow>(
    "SELECT * FROM conversations WHERE customer_id = ? ORDER BY started_at, id",
    customerId,
  );
  const selections = sql.all<{ route_json: string; locale: string | null; at: number }>(
    "SELECT route_json, locale, at FROM selections WHERE customer_id = ? ORDER BY at",
    customerId,
  );
  return {
    customer: {
      externalId: customer.external_id,
      email: customer.email,
      displayName: customer.display_name,
      attributes: JSON.parse(customer.attributes_json) as unknown,
      createdAt: instant(customer.created_at),
      updatedAt: instant(customer.updated_at),
    },
    selections: selections.map(({ route_json, locale, at }) => ({
      route: JSON.parse(route_json) as unknown,
      locale,
      at: instant(at),
    })),
    conversations: conversations.map((row) => ({
      id: row.id,
      status: row.status,
      subject: row.subject,
      route: JSON.parse(row.route_json) as unknown,
      locale: row.locale,
      startedAt: instant(row.started_at),
      rating: row.rating_json === null ? null : (JSON.parse(row.rating_json) as unknown),
      linked: row.linked_to === null ? null : { externalId: row.linked_to, afterSeq: row.linked_seq },
      events: eventsAfter(sql, row.id, 0, NO_LIMIT),
      files: sql
        .all<FileRow>("SELECT * FROM attachments WHERE conversation_id = ? ORDER BY created_at, id", row.id)
        .map((file) => ({
          // The bytes lie under this name in the folder of files.
          id: file.id,
          name: file.name,
          type: file.type,
          size: file.size,
          sha256: file.sha256,
          isSent: file.message_seq !== null,
          at: instant(file.created_at),
        })),
      handoffs: sql
        .all<HandoffRow>("SELECT * FROM handoffs WHERE conversation_id = ? ORDER BY requested_at", row.id)
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
