import { DatabaseSync } from "node:sqlite";
import type { Message } from "../../../shared/message.ts";
import { withFeedback } from "./answer-feedback.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import { hasDatabase } from "./database-files.ts";
import { messageAt, messagesUpTo } from "./event-log.ts";
import { StoreError } from "./migrate.ts";
import { q } from "./query.ts";
import { createSql, type Sql } from "./sql.ts";

/** A customer's question as an agent got it, and what the agent answered. No customer is named. */
export interface AskedQuestion {
  readonly locale: string | undefined;
  /** The newest messages up to the question, oldest first; the question is the last. */
  readonly messages: readonly Message[];
  /** With the customer's feedback on it. */
  readonly answer: Message;
}

const BUSY_TIMEOUT_MS = 5000;
/** As many as an agent gets. */
const CONTEXT_MESSAGES = 20;

const WorkspaceRow = reader({ id: text, name: text });
const ConversationRow = reader({ id: text, locale: nullable(text) });
const TurnRow = reader({ seq: integer, answer_seq: integer });

/**
 * Calls `take` with each question of one workspace that an agent answered since a time, conversation by conversation,
 * from the newest. Reads the database as it is at one moment, while a service may be running; writes nothing.
 *
 * @param from.workspace id or name; without it the only one
 * @throws StoreError with one sentence: no such database or workspace, several workspaces
 */
export function readAskedQuestions(
  path: string,
  from: { readonly workspace: string | undefined; readonly since: number },
  take: (question: AskedQuestion) => void,
): void {
  if (!hasDatabase(path))
    throw new StoreError(`There is no database ${path}: is DATA_DIR the folder of a service?`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    database.exec("BEGIN");
    const sql = createSql(database);
    const workspaceId = findWorkspace(sql, from.workspace);
    const conversations = sql.all(
      ConversationRow,
      q`SELECT id, locale FROM conversations WHERE workspace_id = ${workspaceId} AND last_at >= ${from.since}
        ORDER BY last_at DESC, id`,
    );
    for (const conversation of conversations) {
      for (const question of questionsOf(sql, conversation, from.since)) take(question);
    }
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new StoreError(`${path} can't be read as a database of this service: ${reason}.`, { cause });
  } finally {
    database?.close();
  }
}

function questionsOf(
  sql: Sql,
  { id, locale }: { readonly id: string; readonly locale: string | null },
  since: number,
): AskedQuestion[] {
  const turns = sql.all(
    TurnRow,
    q`SELECT k.seq, a.seq AS answer_seq FROM message_keys k
      JOIN events e ON e.conversation_id = k.conversation_id AND e.seq = k.seq AND e.at >= ${since}
      JOIN events a ON a.conversation_id = k.conversation_id AND a.seq > k.seq AND a.type = 'message.created'
        AND a.data_json ->> '$.message.id' = k.answer_id
      WHERE k.conversation_id = ${id} ORDER BY k.seq`,
  );
  return turns.flatMap(({ seq, answer_seq }) => {
    const [answer] = withFeedback(sql, id, [messageAt(sql, id, answer_seq)]);
    const messages = messagesUpTo(sql, id, seq, CONTEXT_MESSAGES);
    if (answer?.role !== "agent" || messages.at(-1)?.body.trim() === "") return [];
    return [{ locale: locale ?? undefined, messages, answer }];
  });
}

function findWorkspace(sql: Sql, asked: string | undefined): string {
  const all = sql.all(WorkspaceRow, q`SELECT id, name FROM workspaces ORDER BY created_at, id`);
  const names = all.map(({ id, name }) => `${id} (${name})`).join(", ");
  if (asked !== undefined) {
    const found = all.find(({ id, name }) => id === asked || name === asked);
    if (!found) throw new StoreError(`There is no workspace ${asked}. There are: ${names}.`);
    return found.id;
  }
  const [only, ...others] = all;
  if (!only) throw new StoreError("The database has no workspace yet, so nobody has asked anything.");
  if (others.length > 0) throw new StoreError(`Name the workspace with --workspace, one of: ${names}.`);
  return only.id;
}
