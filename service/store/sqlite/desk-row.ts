import { Failure } from "../../../shared/errors.ts";
import type { DeskTarget } from "../desk.ts";
import { ConversationRow } from "./conversation-row.ts";
import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

/** A conversation, if it is of this person's workspace. @throws Failure `not_found` */
export function findRow(tx: Transaction, target: DeskTarget): ConversationRow {
  const row = tx.sql.one(
    ConversationRow,
    q`SELECT * FROM conversations WHERE id = ${target.conversationId} AND workspace_id = ${target.workspaceId}`,
  );
  if (!row) throw new Failure("not_found");
  return row;
}
