import { Failure } from "../../../shared/errors.ts";
import { Handoff } from "../../../shared/handoff.ts";
import type { HandoffRequest, HandoffStore } from "../handoffs.ts";
import type { Idempotency } from "../idempotency.ts";
import type { Owner } from "../owner.ts";
import { closeAnswers } from "./answers.ts";
import { integer, reader, text } from "./columns.ts";
import { type ConversationRow, handoffOf, hasOpenHandoff, ownedRow, routeOf } from "./conversation-row.ts";
import { findRow as findConversation } from "./desk-row.ts";
import { appendEvent } from "./event-log.ts";
import { findAnswer, forgetAnswer, type Scope, storeAnswer } from "./idempotency.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import { listWaits, readWait } from "./wait.ts";
import type { Transaction } from "./write-queue.ts";

interface Meets {
  readonly row: ConversationRow;
  readonly open: Handoff | undefined;
  readonly replay: Handoff | undefined;
}

const TargetRow = reader({ workspace_id: text, id: text, target: text });

const FoundRow = reader({ workspace_id: text, id: text, is_open: integer });

const ConversationId = reader({ id: text, handoff_id: text });

/** Few enough that no other write waits long for them. */
const EXPIRED_AT_ONCE = 100;

/** Handoffs in SQLite, from the customer's side. */
export function createHandoffStore({ sql, write }: StoreCore): HandoffStore {
  return {
    async check(owner, conversationId, idempotency) {
      const { row, open, replay } = meet(sql, owner, conversationId, idempotency);
      return { adapter: routeOf(row).humanHandoffAdapter, open, replay };
    },
    request: (owner, request, idempotency) =>
      write((tx) => {
        const { open, replay } = meet(tx.sql, owner, request.conversationId, idempotency);
        if (replay) return { handoff: replay, created: false };
        const handoff = open ?? commit(tx, owner.workspaceId, request);
        if (idempotency) {
          const scope = scopeOf(owner, request.conversationId);
          forgetAnswer(tx.sql, scope, idempotency);
          storeAnswer(tx, scope, idempotency, handoff);
        }
        return { handoff, created: !open };
      }),
    expire: (before, followed) =>
      write((tx) => {
        const waiting = tx.sql.all(
          ConversationId,
          // A request waits since its conversation's last entry or longer: the index ends the search there.
          q`SELECT id, handoff_id FROM conversations WHERE workspace_id IN (SELECT id FROM workspaces)
             AND desk_state = 'waiting' AND desk_order < ${before} AND last_at < ${before}
             AND id NOT IN (SELECT value FROM json_each(${JSON.stringify([...followed])})) LIMIT ${EXPIRED_AT_ONCE}`,
        );
        for (const { id, handoff_id } of waiting) fail(tx, id, handoff_id);
        return waiting.length;
      }),
    decline: (target) =>
      write((tx) => {
        const { id, status, handoff_id, handoff_status } = findConversation(tx.sql, target);
        if (status === "ended" || handoff_status !== "requested" || handoff_id === null) return false;
        fail(tx, id, handoff_id);
        return true;
      }),
    readWait: async (owner, conversationId) => readWait(sql, owner, conversationId),
    listWaits: async (workspaceId) => listWaits(sql, workspaceId),
    async findByTarget(adapter, ref) {
      const found = sql.one(
        FoundRow,
        q`SELECT c.workspace_id, c.id, h.closed_at IS NULL AND c.handoff_id = h.id AND c.status = 'open' AS is_open
         FROM handoffs h JOIN conversations c ON c.id = h.conversation_id
         WHERE h.adapter = ${adapter} AND h.target = ${ref} ORDER BY h.requested_at DESC LIMIT 1`,
      );
      return (
        found && { workspaceId: found.workspace_id, conversationId: found.id, isOpen: found.is_open === 1 }
      );
    },
    async listOpenTargets(adapter) {
      const rows = sql.all(
        TargetRow,
        q`SELECT c.workspace_id, c.id, h.target FROM handoffs h CROSS JOIN conversations c ON c.handoff_id = h.id AND c.id = h.conversation_id
         WHERE h.adapter = ${adapter} AND h.target IS NOT NULL AND h.closed_at IS NULL AND c.status = 'open'`,
      );
      return rows.map((row) => ({
        workspaceId: row.workspace_id,
        conversationId: row.id,
        adapter,
        ref: row.target,
      }));
    },
  };
}

/**
 * The state that a request finds. A repeated request gets the first answer, even if the conversation has ended since,
 * but not once its hand-off is over in an open one: "requested" would be false, because nobody is asked any more.
 */
function meet(sql: Sql, owner: Owner, conversationId: string, idempotency: Idempotency | undefined): Meets {
  const row = ownedRow(sql, owner, conversationId);
  const first = idempotency && findAnswer(sql, scopeOf(owner, conversationId), idempotency, Handoff);
  const open = hasOpenHandoff(row) ? handoffOf(row) : undefined;
  if (row.status === "ended" && !first) throw new Failure("conversation_ended");
  return { row, replay: row.status === "ended" || first?.id === open?.id ? first : undefined, open };
}

function scopeOf(owner: Owner, conversationId: string): Scope {
  return { customerId: owner.customerId, operation: `handoffs ${conversationId}` };
}

function commit(
  tx: Transaction,
  workspaceId: string,
  request: HandoffRequest & { adapter: string | undefined; target?: string | undefined },
): Handoff {
  // The handoff that was open when the request checked has closed since; the next request will prepare a target.
  if (request.adapter === undefined) throw new Failure("in_flight");
  closeAnswers(tx, request.conversationId);
  const id = tx.newId("hand");
  tx.sql.run(q`INSERT INTO handoffs (id, workspace_id, conversation_id, adapter, status, reason, current_intent, transcript, requested_at, target)
     VALUES (${id}, ${workspaceId}, ${request.conversationId}, ${request.adapter}, 'requested', ${request.reason ?? null},
       ${request.currentIntent ?? null}, ${request.transcript ?? null}, ${tx.now}, ${request.target ?? null})`);
  tx.sql.run(q`UPDATE conversations
    SET handoff_id = ${id}, handoff_status = 'requested', waiting_since = ${tx.now},
       taken_by = NULL, taken_by_name = NULL WHERE id = ${request.conversationId}`);
  const handoff: Handoff = { id, status: "requested" };
  appendEvent(tx, request.conversationId, { type: "handoff.requested", handoff });
  return handoff;
}

/** Nobody took it: the agent has the conversation again. */
function fail(tx: Transaction, conversationId: string, handoffId: string): void {
  tx.sql.run(q`UPDATE handoffs SET status = 'failed', closed_at = ${tx.now} WHERE id = ${handoffId}`);
  tx.sql.run(
    q`UPDATE conversations SET handoff_status = 'failed', waiting_since = NULL WHERE id = ${conversationId}`,
  );
  appendEvent(tx, conversationId, { type: "handoff.failed", handoff: { id: handoffId, status: "failed" } });
}
