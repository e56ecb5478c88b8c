import { Failure } from "../../../shared/errors.ts";
import { sha256 } from "../../ids.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

const MessageKey = reader({ seq: integer, body_hash: text, answer_id: nullable(text) });

/**
 * Returns the seq of the message that this author wrote under this key, if it exists.
 *
 * @throws Failure `key_reused` when it had another text
 */
export function findMessageKey(
  tx: Transaction,
  conversationId: string,
  author: string,
  given: { clientMessageId: string; body: string },
): { seq: number; answerId: string | undefined } | undefined {
  const row = tx.sql.one(
    MessageKey,
    q`SELECT seq, body_hash, answer_id FROM message_keys
     WHERE conversation_id = ${conversationId} AND author = ${author} AND client_message_id = ${given.clientMessageId}`,
  );
  if (!row) return undefined;
  if (row.body_hash !== sha256(given.body)) throw new Failure("key_reused");
  return { seq: row.seq, answerId: row.answer_id ?? undefined };
}

/** Stores the key of a message in the transaction of the message. */
export function storeMessageKey(
  tx: Transaction,
  conversationId: string,
  author: string,
  given: { clientMessageId: string; body: string; seq: number; answerId?: string | undefined },
): void {
  tx.sql.run(q`INSERT INTO message_keys (conversation_id, author, client_message_id, body_hash, seq, answer_id)
     VALUES (${conversationId}, ${author}, ${given.clientMessageId}, ${sha256(given.body)}, ${given.seq},
       ${given.answerId ?? null})`);
}

/** The id that the answer to a message has or will have; undefined if none was promised. */
export function answerIdOf(tx: Transaction, conversationId: string, seq: number): string | undefined {
  const row = tx.sql.one(
    MessageKey,
    q`SELECT seq, body_hash, answer_id FROM message_keys WHERE conversation_id = ${conversationId} AND seq = ${seq}`,
  );
  return row?.answer_id ?? undefined;
}

/** Another answer to the message is open now: whoever sends its turn again waits for this one. */
export function promiseAnswer(tx: Transaction, conversationId: string, seq: number, answerId: string): void {
  tx.sql.run(
    q`UPDATE message_keys SET answer_id = ${answerId} WHERE conversation_id = ${conversationId} AND seq = ${seq}`,
  );
}
