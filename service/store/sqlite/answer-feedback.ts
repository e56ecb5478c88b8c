import { Failure } from "../../../shared/errors.ts";
import { type FeedbackChange, FeedbackScore } from "../../../shared/feedback.ts";
import type { Message } from "../../../shared/message.ts";
import type { Owner } from "../owner.ts";
import { integer, oneOf, reader } from "./columns.ts";
import { ownedRow } from "./conversation-row.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

const Place = reader({ seq: integer });
const FeedbackRow = reader({ seq: integer, score: oneOf(...FeedbackScore.options), at: integer });

/** Stores what the owner says of one answer. The same again changes nothing. @throws Failure `not_found` */
export function giveFeedback(tx: Transaction, owner: Owner, id: string, feedback: FeedbackChange): void {
  const { workspace_id: workspaceId } = ownedRow(tx.sql, owner, id);
  const seq = seqOfAnswer(tx.sql, id, feedback.messageId);
  const { score } = feedback;
  const changed =
    score === null
      ? tx.sql.run(q`DELETE FROM answer_feedback WHERE conversation_id = ${id} AND seq = ${seq}`)
      : tx.sql.run(q`INSERT INTO answer_feedback (conversation_id, seq, score, at)
          VALUES (${id}, ${seq}, ${score}, ${tx.now})
          ON CONFLICT (conversation_id, seq) DO UPDATE SET score = excluded.score, at = excluded.at
          WHERE score <> excluded.score`);
  if (changed > 0)
    tx.publish({ workspaceId, conversationId: id, event: { type: "feedback.changed", feedback } });
}

/** The messages of one conversation, in their order, with the feedback on them. The caller has checked the owner. */
export function withFeedback(sql: Sql, id: string, messages: readonly Message[]): Message[] {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return [];
  const rows = sql.all(
    FeedbackRow,
    q`SELECT seq, score, at FROM answer_feedback
      WHERE conversation_id = ${id} AND seq BETWEEN ${first.seq} AND ${last.seq}`,
  );
  const scores = new Map(rows.map(({ seq, score }) => [seq, score]));
  return messages.map((message) => {
    const feedback = scores.get(message.seq);
    return feedback ? { ...message, feedback } : message;
  });
}

/** All feedback on one conversation, for its customer's export. */
export function feedbackOf(sql: Sql, id: string): { seq: number; score: FeedbackScore; at: string }[] {
  return sql
    .all(
      FeedbackRow,
      q`SELECT seq, score, at FROM answer_feedback WHERE conversation_id = ${id} ORDER BY seq`,
    )
    .map(({ seq, score, at }) => ({ seq, score, at: new Date(at).toISOString() }));
}

/** Reads the whole log, which has no index by message id: 10 ms for the longest (docs/decisions/0080-feedback-on-answers.md). */
function seqOfAnswer(sql: Sql, id: string, messageId: string): number {
  const found = sql.one(
    Place,
    q`SELECT seq FROM events
      WHERE conversation_id = ${id} AND type = 'message.created'
        AND data_json ->> '$.message.id' = ${messageId} AND data_json ->> '$.message.role' = 'agent'`,
  );
  if (!found) throw new Failure("not_found");
  return found.seq;
}
