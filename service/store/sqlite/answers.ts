import { Message } from "../../../shared/message.ts";
import type { AnswerStore, AskedQuestion, NewAnswer, OwedAnswer } from "../answers.ts";
import type { LeaseTerms } from "../lease-terms.ts";
import { actionReports, requestActions } from "./actions.ts";
import { storeMade } from "./answer-notes.ts";
import { integer, nullable, type RowOf, reader, text } from "./columns.ts";
import { ConversationRow, isAgentActive, routeOf } from "./conversation-row.ts";
import { appendEvent, messagesAfter, messagesUpTo } from "./event-log.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const ConversationId = reader({ id: text });
const CustomerName = reader({ display_name: nullable(text) });

/** How many messages an agent is given, including the question: ten exchanges. Each is parsed again for each answer. */
const CONTEXT_MESSAGES = 20;

const PendingRow = reader({
  turn_seq: integer,
  answer_id: text,
  owner: nullable(text),
  fence: integer,
  leased_until: integer,
  partial_json: nullable(text),
});
type PendingRow = RowOf<typeof PendingRow>;

/** The open answers of agents, in SQLite. */
export function createAnswerStore({ sql, write, clock }: StoreCore): AnswerStore {
  return {
    async claim(conversationId, terms) {
      const oldest = oldestPending(sql, conversationId);
      if (!oldest) return undefined;
      // The lease came with the turn, or with the end of the previous answer, so nothing has to be written.
      if (oldest.owner === terms.owner && oldest.leased_until > clock.now()) {
        return describe(sql, conversationId, oldest);
      }
      return write((tx) => {
        if (!leaseOldest(tx, conversationId, terms)) return undefined;
        const leased = oldestPending(tx.sql, conversationId);
        return leased && describe(tx.sql, conversationId, leased);
      });
    },
    renew: (lease, ms, partial) =>
      write((tx) => {
        const renewed = tx.sql.run(
          q`UPDATE pending_answers
            SET leased_until = ${tx.now + ms}, partial_json = coalesce(${partial ? JSON.stringify(partial) : null}, partial_json)
            WHERE conversation_id = ${lease.conversationId} AND turn_seq = ${lease.turnSeq}
              AND owner = ${lease.owner} AND fence = ${lease.fence}`,
        );
        return renewed > 0;
      }),
    finish: (lease, ms, answer, beside) =>
      write((tx) => {
        const { conversationId, owner } = lease;
        const taken = tx.sql.run(
          q`DELETE FROM pending_answers WHERE conversation_id = ${conversationId} AND turn_seq = ${lease.turnSeq}
              AND owner = ${owner} AND fence = ${lease.fence}`,
        );
        if (taken === 0) return undefined;
        leaseOldest(tx, conversationId, { owner, ms });
        const row = tx.sql.one(ConversationRow, q`SELECT * FROM conversations WHERE id = ${conversationId}`);
        if (!row || !isAgentActive(row)) return undefined;
        const { message } = appendEvent(tx, conversationId, { type: "message.created", message: answer });
        const asked = requestActions(tx, conversationId, beside?.actions ?? []);
        const made = beside?.made(asked);
        if (made) storeMade(tx, conversationId, message.seq, made);
        return message;
      }),
    release: (owner) =>
      write((tx) => {
        tx.sql.run(
          q`UPDATE pending_answers SET owner = NULL, leased_until = 0, partial_json = NULL WHERE owner = ${owner}`,
        );
      }),
    expireAll: () => write((tx) => void tx.sql.run(q`UPDATE pending_answers SET leased_until = 0`)),
    async findUnleased() {
      // With min(), SQLite takes the other columns from the row that contains the minimum.
      return sql
        .all(
          ConversationId,
          q`SELECT conversation_id AS id FROM (
             SELECT conversation_id, min(turn_seq), leased_until FROM pending_answers GROUP BY conversation_id)
           WHERE leased_until <= ${clock.now()}`,
        )
        .map(({ id }) => id);
    },
    async readLastQuestion({ workspaceId, conversationId }) {
      const row = sql.one(
        ConversationRow,
        q`SELECT * FROM conversations WHERE id = ${conversationId} AND workspace_id = ${workspaceId}`,
      );
      return row && questionOf(sql, row, row.customer_seq);
    },
    isPending: async (conversationId, turnSeq) =>
      sql.has(
        q`SELECT 1 FROM pending_answers WHERE conversation_id = ${conversationId} AND turn_seq = ${turnSeq}`,
      ),
  };
}

/** Stores an open answer in the transaction of the turn, and leases it if no other one is open. */
export function oweAnswer(
  tx: Transaction,
  conversationId: string,
  { turnSeq, answerId, terms }: { turnSeq: number; answerId: string; terms: LeaseTerms | undefined },
): void {
  tx.sql.run(
    q`INSERT INTO pending_answers (conversation_id, turn_seq, answer_id)
      VALUES (${conversationId}, ${turnSeq}, ${answerId})`,
  );
  if (terms) leaseOldest(tx, conversationId, terms);
}

/**
 * Ends the open answers of one conversation, because a person was asked or the conversation ends. The part of an answer
 * that the customer has seen is appended before the event that ends it.
 */
export function closeAnswers(tx: Transaction, conversationId: string): void {
  const row = oldestPending(tx.sql, conversationId);
  if (!row) return;
  if (row.partial_json !== null) {
    appendEvent(tx, conversationId, { type: "message.created", message: partialOf(row.partial_json) });
  }
  tx.sql.run(q`DELETE FROM pending_answers WHERE conversation_id = ${conversationId}`);
}

/** True when the oldest owed answer is leased now; false when none is owed or a lease on it still runs. */
function leaseOldest(tx: Transaction, conversationId: string, { owner, ms }: LeaseTerms): boolean {
  const leased =
    tx.sql.run(q`UPDATE pending_answers SET owner = ${owner}, fence = fence + 1, leased_until = ${tx.now + ms}
     WHERE conversation_id = ${conversationId} AND leased_until <= ${tx.now}
       AND turn_seq = (SELECT min(turn_seq) FROM pending_answers WHERE conversation_id = ${conversationId})`);
  return leased > 0;
}

function oldestPending(sql: Sql, conversationId: string): PendingRow | undefined {
  return sql.one(
    PendingRow,
    q`SELECT turn_seq, answer_id, owner, fence, leased_until, partial_json FROM pending_answers
     WHERE conversation_id = ${conversationId} ORDER BY turn_seq LIMIT 1`,
  );
}

function describe(sql: Sql, conversationId: string, pending: PendingRow): OwedAnswer | undefined {
  const row = sql.one(ConversationRow, q`SELECT * FROM conversations WHERE id = ${conversationId}`);
  if (!row) return undefined;
  return {
    ...questionOf(sql, row, pending.turn_seq),
    turnSeq: pending.turn_seq,
    owner: pending.owner ?? "",
    fence: pending.fence,
    answerId: pending.answer_id,
    partial: pending.partial_json === null ? undefined : partialOf(pending.partial_json),
  };
}

function questionOf(sql: Sql, row: ConversationRow, turnSeq: number): AskedQuestion {
  const customer = sql.one(CustomerName, q`SELECT display_name FROM customers WHERE id = ${row.customer_id}`);
  return {
    conversationId: row.id,
    workspaceId: row.workspace_id,
    customerId: row.customer_id,
    agentProvider: routeOf(row).agentProvider,
    locale: row.locale ?? undefined,
    customerName: customer?.display_name ?? undefined,
    messages: turnSeq === 0 ? [] : contextOf(sql, row, turnSeq),
    actions: actionReports(sql, row.id),
  };
}

/** Parsed as the message that it would be at the beginning of a log. */
function partialOf(json: string): NewAnswer {
  const {
    seq: _,
    at: __,
    ...answer
  } = Message.parse({
    ...JSON.parse(json),
    seq: 1,
    at: new Date(0).toISOString(),
  });
  return answer;
}

/** Answers to earlier turns may follow the question in the log; later questions are not considered yet. */
function contextOf(sql: Sql, { id, last_seq }: ConversationRow, turnSeq: number): Message[] {
  const upTo = messagesUpTo(sql, id, turnSeq, CONTEXT_MESSAGES);
  const later = last_seq > turnSeq ? messagesAfter(sql, id, turnSeq, CONTEXT_MESSAGES) : [];
  const answers = later.filter(({ role }) => role !== "customer");
  return [...upTo.slice(0, -1), ...answers, ...upTo.slice(-1)].slice(-CONTEXT_MESSAGES);
}
