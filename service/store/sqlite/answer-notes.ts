import { AnswerMade } from "../../../shared/answer-made.ts";
import type { AnswerNote } from "../../../shared/desk.ts";
import type { DeskTarget } from "../desk.ts";
import { integer, json, type RowOf, reader } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

const NoteRow = reader({ seq: integer, made_json: json(AnswerMade) });

/** Stores what an answer was made of, in the transaction of the answer. */
export function storeMade(tx: Transaction, conversationId: string, seq: number, made: AnswerMade): void {
  tx.sql.run(q`INSERT INTO answer_notes (conversation_id, seq, made_json)
    VALUES (${conversationId}, ${seq}, ${JSON.stringify(made)})`);
}

/** The notes of one answer, if its conversation belongs to this workspace. */
export function readNote(
  sql: Sql,
  { workspaceId, conversationId }: DeskTarget,
  seq: number,
): AnswerNote | undefined {
  const row = sql.one(
    NoteRow,
    q`SELECT n.* FROM answer_notes n JOIN conversations v ON v.id = n.conversation_id
      WHERE n.conversation_id = ${conversationId} AND n.seq = ${seq} AND v.workspace_id = ${workspaceId}`,
  );
  return row && noteOf(row);
}

/** The notes of one conversation's answers, in their order. The caller has checked the workspace. */
export function answerNotes(sql: Sql, conversationId: string): AnswerNote[] {
  return sql
    .all(
      NoteRow,
      q`SELECT seq, made_json FROM answer_notes WHERE conversation_id = ${conversationId} ORDER BY seq`,
    )
    .map(noteOf);
}

function noteOf({ seq, made_json: made }: RowOf<typeof NoteRow>): AnswerNote {
  return { seq, made };
}
