import { Failure } from "../../../shared/errors.ts";
import { Summary } from "../../../shared/summary.ts";
import type { Owner } from "../owner.ts";
import type { SummaryStore } from "../summaries.ts";
import { actionReports } from "./actions.ts";
import { integer, json, reader } from "./columns.ts";
import { type ConversationRow, hasOpenHandoff, ownedRow, routeOf } from "./conversation-row.ts";
import { appendEvent, messagesUpTo } from "./event-log.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";

/** Older messages rarely say what a request for a person is about. */
const SUBJECT_MESSAGES = 60;

const Seq = reader({ seq: integer });
const SummaryRow = reader({ summary: json(Summary) });

interface OpenRequest {
  readonly row: ConversationRow;
  readonly handoffId: string;
  readonly seq: number;
  readonly sent: Summary | undefined;
}

/** Summaries of hand-offs in SQLite: a sent one is an event of the log and is stored nowhere else. */
export function createSummaryStore({ sql, write }: StoreCore): SummaryStore {
  return {
    async read(owner, conversationId) {
      const { row, handoffId, seq, sent } = openRequest(sql, owner, conversationId);
      const messages = messagesUpTo(sql, conversationId, seq, SUBJECT_MESSAGES);
      return {
        conversationId,
        customerId: row.customer_id,
        agentProvider: routeOf(row).agentProvider,
        handoffId,
        messages,
        sent,
        actions: actionReports(sql, conversationId),
        locale: row.locale ?? undefined,
      };
    },
    send: (owner, conversationId, summary) =>
      write((tx) => {
        const { handoffId, sent } = openRequest(tx.sql, owner, conversationId);
        if (summary.handoffId !== handoffId) throw new Failure("handoff_unavailable");
        if (sent && textOf(sent) !== textOf(summary)) throw new Failure("key_reused");
        if (!sent) appendEvent(tx, conversationId, { type: "summary.sent", summary });
        return sent ?? summary;
      }),
  };
}

function openRequest(sql: Sql, owner: Owner, conversationId: string): OpenRequest {
  const row = ownedRow(sql, owner, conversationId);
  if (row.status === "ended") throw new Failure("conversation_ended");
  const { handoff_id: handoffId } = row;
  const asked =
    handoffId !== null && hasOpenHandoff(row)
      ? sql.one(
          Seq,
          q`SELECT seq FROM events WHERE conversation_id = ${conversationId}
            AND type = 'handoff.requested' AND data_json ->> '$.handoff.id' = ${handoffId}
            ORDER BY seq LIMIT 1`,
        )
      : undefined;
  // A person who joined unasked was not waited for.
  if (handoffId === null || !asked) throw new Failure("handoff_unavailable");
  const found = sql.one(
    SummaryRow,
    q`SELECT data_json -> '$.summary' AS summary FROM events
      WHERE conversation_id = ${conversationId} AND seq > ${asked.seq} AND type = 'summary.sent'
        AND data_json ->> '$.summary.handoffId' = ${handoffId} LIMIT 1`,
  );
  return { row, handoffId, seq: asked.seq, sent: found?.summary };
}

function textOf({ sentences }: Summary): string {
  return sentences.map(({ text }) => text).join("\n");
}
