import type { Message } from "../../../shared/message.ts";
import type { Route } from "../../../shared/route.ts";
import type { AnswerStore, PartialAnswer, PendingAnswer } from "../answers.ts";
import { type ConversationRow, isAgentActive } from "./conversation-row.ts";
import { appendEvent, messagesAfter } from "./event-log.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

/** Messages that an agent is given, the question included: enough to follow a talk, bounded for a long one. */
const CONTEXT_MESSAGES = 100;

interface PendingRow {
  readonly turn_seq: number;
  readonly answer_id: string;
  readonly attempts: number;
}

/** Answers that agents owe, in SQLite. */
export function createAnswerStore({ sql, write }: StoreCore): AnswerStore {
  return {
    async next(conversationId) {
      const pending = sql.one<PendingRow>(
        `SELECT turn_seq, answer_id, attempts FROM pending_answers
         WHERE conversation_id = ? ORDER BY turn_seq LIMIT 1`,
        conversationId,
      );
      return pending && describePending(sql, conversationId, pending);
    },
    isPending: async (conversationId, turnSeq) =>
      sql.one(
        "SELECT 1 FROM pending_answers WHERE conversation_id = ? AND turn_seq = ?",
        conversationId,
        turnSeq,
      ) !== undefined,
    finish: ({ conversationId, turnSeq }, message) =>
      write((tx) => {
        if (!takePending(tx, conversationId, turnSeq)) return undefined;
        const row = tx.sql.one<ConversationRow>("SELECT * FROM conversations WHERE id = ?", conversationId);
        if (!row || !isAgentActive(row)) return undefined;
        return appendEvent(tx, conversationId, { type: "message.created", message }).message;
      }),
    retryAll: () =>
      write((tx) => {
        tx.sql.run("UPDATE pending_answers SET attempts = attempts + 1");
        return tx.sql
          .all<{ id: string }>("SELECT DISTINCT conversation_id AS id FROM pending_answers")
          .map((row) => row.id);
      }),
  };
}

/**
 * Ends what agents owe in one conversation, because a person was asked or the conversation ends.
 * What the customer has already seen of an answer is kept, before the event that ends it.
 */
export function closeAnswers(
  tx: Transaction,
  conversationId: string,
  partial: PartialAnswer | undefined,
): void {
  if (partial && takePending(tx, conversationId, partial.turnSeq)) {
    appendEvent(tx, conversationId, { type: "message.created", message: partial.message });
  }
  tx.sql.run("DELETE FROM pending_answers WHERE conversation_id = ?", conversationId);
}

/** True for the one write that may answer this turn. */
function takePending(tx: Transaction, conversationId: string, turnSeq: number): boolean {
  const taken = tx.sql.run(
    "DELETE FROM pending_answers WHERE conversation_id = ? AND turn_seq = ?",
    conversationId,
    turnSeq,
  );
  return taken > 0;
}

function describePending(sql: Sql, conversationId: string, pending: PendingRow): PendingAnswer | undefined {
  const row = sql.one<ConversationRow>("SELECT * FROM conversations WHERE id = ?", conversationId);
  if (!row) return undefined;
  const route: Route = JSON.parse(row.route_json);
  return {
    workspaceId: row.workspace_id,
    conversationId,
    turnSeq: pending.turn_seq,
    answerId: pending.answer_id,
    attempts: pending.attempts,
    agentProvider: route.agentProvider,
    locale: row.locale ?? undefined,
    messages: contextOf(messagesAfter(sql, conversationId, 0), pending.turn_seq),
  };
}

/** Answers to earlier turns may stand behind the question in the log; later questions are not asked yet. */
function contextOf(messages: readonly Message[], turnSeq: number): Message[] {
  const before = messages.filter((message) => message.seq < turnSeq || message.role !== "customer");
  const question = messages.filter((message) => message.seq === turnSeq);
  return [...before, ...question].slice(-CONTEXT_MESSAGES);
}
