import { Failure } from "../../../shared/errors.ts";
import { Handoff } from "../../../shared/handoff.ts";
import { createId } from "../../ids.ts";
import type { HandoffRequest, HandoffStore } from "../handoffs.ts";
import type { Idempotency } from "../idempotency.ts";
import type { Owner } from "../owner.ts";
import { closeAnswers } from "./answers.ts";
import { reader, text } from "./columns.ts";
import { type ConversationRow, handoffOf, hasOpenHandoff, ownedRow, routeOf } from "./conversation-row.ts";
import { appendEvent } from "./event-log.ts";
import { findAnswer, type Scope, storeAnswer } from "./idempotency.ts";
import { q } from "./query.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

interface Meets {
  readonly row: ConversationRow;
  readonly open: Handoff | undefined;
  readonly replay: Handoff | undefined;
}

const TargetRow = reader({ workspace_id: text, id: text, target: text });

/** Handoffs in SQLite, as the customer asks for them. */
export function createHandoffStore({ sql, write, random }: StoreCore): HandoffStore {
  return {
    async check(owner, conversationId, idempotency) {
      const { row, open, replay } = meet({ sql }, owner, conversationId, idempotency);
      return { adapter: routeOf(row).humanHandoffAdapter, open, replay };
    },
    request: (owner, request, idempotency) =>
      write((tx) => {
        const { open, replay } = meet(tx, owner, request.conversationId, idempotency);
        if (replay) return { handoff: replay, created: true };
        const handoff = open ?? commit(tx, request, random);
        if (idempotency) storeAnswer(tx, scopeOf(owner, request.conversationId), idempotency, handoff);
        return { handoff, created: !open };
      }),
    async findByTarget(adapter, ref) {
      const found = sql.one(
        TargetRow,
        q`SELECT c.workspace_id, c.id, h.target FROM handoffs h JOIN conversations c ON c.id = h.conversation_id
         WHERE h.adapter = ${adapter} AND h.target = ${ref} ORDER BY h.requested_at DESC LIMIT 1`,
      );
      return found && { workspaceId: found.workspace_id, conversationId: found.id };
    },
    async listOpenTargets(adapter) {
      const rows = sql.all(
        TargetRow,
        q`SELECT c.workspace_id, c.id, h.target FROM handoffs h JOIN conversations c ON c.handoff_id = h.id
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

/** What a request finds. A repeated one is answered as the first was, even when the conversation has ended since. */
function meet(
  tx: Pick<Transaction, "sql">,
  owner: Owner,
  conversationId: string,
  idempotency: Idempotency | undefined,
): Meets {
  const row = ownedRow(tx.sql, owner, conversationId);
  const replay = idempotency && findAnswer(tx, scopeOf(owner, conversationId), idempotency, Handoff);
  if (!replay && row.status === "ended") throw new Failure("conversation_ended");
  return { row, replay, open: hasOpenHandoff(row) ? handoffOf(row) : undefined };
}

function scopeOf(owner: Owner, conversationId: string): Scope {
  return { customerId: owner.customerId, operation: `handoffs ${conversationId}` };
}

function commit(
  tx: Transaction,
  request: HandoffRequest & { adapter: string | undefined; target?: string | undefined },
  random: StoreCore["random"],
): Handoff {
  // The handoff that was open when the request looked has closed since: asking again will prepare a target.
  if (request.adapter === undefined) throw new Failure("in_flight");
  closeAnswers(tx, request.conversationId);
  return insertHandoff(tx, { ...request, adapter: request.adapter }, createId("hand", tx.now, random));
}

function insertHandoff(
  tx: Transaction,
  request: HandoffRequest & { adapter: string; target?: string | undefined },
  id: string,
): Handoff {
  tx.sql.run(q`INSERT INTO handoffs (id, conversation_id, adapter, status, reason, current_intent, transcript, requested_at, target)
     VALUES (${id}, ${request.conversationId}, ${request.adapter}, 'requested', ${request.reason ?? null},
       ${request.currentIntent ?? null}, ${request.transcript ?? null}, ${tx.now}, ${request.target ?? null})`);
  tx.sql.run(q`UPDATE conversations
    SET handoff_id = ${id}, handoff_status = 'requested', waiting_since = ${tx.now},
       taken_by = NULL, taken_by_name = NULL WHERE id = ${request.conversationId}`);
  const handoff: Handoff = { id, status: "requested" };
  appendEvent(tx, request.conversationId, { type: "handoff.requested", handoff });
  return handoff;
}
