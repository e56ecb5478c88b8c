import { Failure } from "../../../shared/errors.ts";
import type { DeskTarget, Person } from "../desk.ts";
import { ConversationRow } from "./conversation-row.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

/** A conversation, if it is of this person's workspace. @throws Failure `not_found` */
export function findRow(sql: Sql, target: DeskTarget): ConversationRow {
  const row = sql.one(
    ConversationRow,
    q`SELECT * FROM conversations WHERE id = ${target.conversationId} AND workspace_id = ${target.workspaceId}`,
  );
  if (!row) throw new Failure("not_found");
  return row;
}

/**
 * Refuses a person who was disabled or reset after the gate let them in, so that nothing happens in the name of an account
 * that is closed. @throws Failure `session_expired`
 */
export function requireAccount(tx: Transaction, person: Person): void {
  const isClosed = tx.sql.has(
    q`SELECT 1 FROM desk_users WHERE id = ${person.id} AND (disabled_at IS NOT NULL OR password_hash = '')`,
  );
  if (isClosed) throw new Failure("session_expired");
}

/** @throws Failure `forbidden` for a person who has not taken the conversation */
export function requireTaken(row: ConversationRow, person: Person): void {
  if (row.handoff_status !== "accepted" || row.taken_by !== person.id) {
    throw new Failure("forbidden", { detail: "Take this conversation first." });
  }
}
