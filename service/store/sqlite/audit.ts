import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

/**
 * Writes one entry of the audit log in the action's transaction: who did what to whose account or conversation, never
 * its text.
 */
export function appendAudit(
  tx: Transaction,
  entry: { workspaceId: string; userId: string | undefined; action: string; target: string | undefined },
): void {
  tx.sql.run(
    q`INSERT INTO audit_log (id, workspace_id, user_id, action, target, at)
      VALUES (${tx.newId("audit")}, ${entry.workspaceId}, ${entry.userId ?? null},
        ${entry.action}, ${entry.target ?? null}, ${tx.now})`,
  );
}
