import type { Handoff } from "../../../shared/handoff.ts";
import { type ConversationRow, handoffOf, hasOpenHandoff } from "./conversation-row.ts";
import { appendEvent } from "./event-log.ts";
import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

/**
 * Opens an ended conversation again. A person who had it at its end may be gone, so the agent answers first; the customer
 * can ask for a person again.
 */
export function reopenConversation(tx: Transaction, row: ConversationRow): void {
  tx.sql.run(q`UPDATE conversations SET status = 'open' WHERE id = ${row.id}`);
  appendEvent(tx, row.id, { type: "conversation.reopened" });
  const held = hasOpenHandoff(row) ? handoffOf(row) : undefined;
  if (!held) return;
  const handoff: Handoff = { id: held.id, status: "returned" };
  tx.sql.run(q`UPDATE handoffs SET status = 'returned' WHERE id = ${handoff.id}`);
  tx.sql.run(
    q`UPDATE conversations SET handoff_status = 'returned', taken_by = NULL, taken_by_name = NULL
      WHERE id = ${row.id}`,
  );
  appendEvent(tx, row.id, { type: "handoff.returned", handoff });
}
