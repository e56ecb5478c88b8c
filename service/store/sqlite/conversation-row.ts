import type { Conversation } from "../../../shared/conversation.ts";
import { Failure } from "../../../shared/errors.ts";
import type { Handoff, HandoffStatus } from "../../../shared/handoff.ts";
import type { Rating } from "../../../shared/rating.ts";
import type { Owner } from "../owner.ts";
import type { Sql } from "./sql.ts";

export interface ConversationRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly customer_id: string;
  readonly status: "open" | "ended";
  readonly subject: string | null;
  readonly route_json: string;
  readonly locale: string | null;
  readonly last_seq: number;
  readonly started_at: number;
  readonly last_at: number;
  readonly preview: string;
  readonly handoff_id: string | null;
  readonly handoff_status: HandoffStatus | null;
  readonly waiting_since: number | null;
  readonly taken_by: string | null;
  readonly taken_by_name: string | null;
  readonly rating_json: string | null;
  readonly read_by_customer: number;
  readonly read_by_human: number;
  readonly linked_to: string | null;
  readonly linked_seq: number | null;
}

/**
 * A conversation, if this customer of this workspace owns it: one query, so that a foreign id and a missing one can't
 * be told apart.
 *
 * @throws Failure `not_found`
 */
export function ownedRow(sql: Sql, owner: Owner, id: string): ConversationRow {
  const row = sql.one<ConversationRow>(
    "SELECT * FROM conversations WHERE id = ? AND workspace_id = ? AND customer_id = ?",
    id,
    owner.workspaceId,
    owner.customerId,
  );
  if (!row) throw new Failure("not_found");
  return row;
}

/** Whether software answers now: never while a person was asked or is there. */
export function isAgentActive(row: Pick<ConversationRow, "status" | "handoff_status">): boolean {
  return row.status === "open" && !hasOpenHandoff(row);
}

export function hasOpenHandoff(row: Pick<ConversationRow, "handoff_status">): boolean {
  return row.handoff_status === "requested" || row.handoff_status === "accepted";
}

/** The newest handoff, whatever became of it. */
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
    ...(row.rating_json === null ? {} : { rating: JSON.parse(row.rating_json) as Rating }),
    ...(read ? { read } : {}),
  };
}

/** How far each side has seen it; undefined where neither has. */
export function readOf(row: ConversationRow): Conversation["read"] {
  const { read_by_customer: customer, read_by_human: human } = row;
  if (customer === 0 && human === 0) return undefined;
  return { ...(customer > 0 ? { customer } : {}), ...(human > 0 ? { human } : {}) };
}
