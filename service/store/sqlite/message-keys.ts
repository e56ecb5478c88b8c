import { Failure } from "../../../shared/errors.ts";
import type { Message } from "../../../shared/message.ts";
import { sha256 } from "../../ids.ts";
import { sendAttachments, unsentAttachments } from "./attachments.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import { appendEvent, messageAt } from "./event-log.ts";
import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

const MessageKey = reader({ seq: integer, body_hash: text, answer_id: nullable(text) });

/** What an author sends, with a key of their own. */
interface Keyed {
  readonly clientMessageId: string;
  readonly body: string;
  /** Ids of files that were uploaded into this conversation. */
  readonly attachments?: readonly string[];
}

/**
 * Returns the message that this author sent with this key before, and the id of its answer.
 *
 * @throws Failure `key_reused` when it had another text or other files
 */
export function findSent(
  tx: Transaction,
  conversationId: string,
  author: string,
  { clientMessageId, body, attachments = [] }: Keyed,
): { message: Message; answerId: string | undefined } | undefined {
  const row = tx.sql.one(
    MessageKey,
    q`SELECT seq, body_hash, answer_id FROM message_keys
     WHERE conversation_id = ${conversationId} AND author = ${author} AND client_message_id = ${clientMessageId}`,
  );
  if (!row) return undefined;
  const message = messageAt(tx.sql, conversationId, row.seq);
  const files = (message.attachments ?? []).map(({ id }) => id);
  if (row.body_hash !== sha256(body) || files.join() !== attachments.join()) throw new Failure("key_reused");
  return { message, answerId: row.answer_id ?? undefined };
}

/** Writes a message with its files and its key. @throws Failure `file_gone` */
export function sendMessage(
  tx: Transaction,
  conversationId: string,
  { clientMessageId, body, attachments: ids = [] }: Keyed,
  { key, answerId, ...by }: Pick<Message, "role" | "author"> & { key: string; answerId?: string | undefined },
): Message {
  const attachments = unsentAttachments(tx, conversationId, ids);
  const { message } = appendEvent(tx, conversationId, {
    type: "message.created",
    message: {
      id: tx.newId("msg"),
      ...by,
      body,
      clientMessageId,
      ...(attachments.length > 0 ? { attachments } : {}),
    },
  });
  sendAttachments(tx, conversationId, ids, message.seq);
  tx.sql.run(q`INSERT INTO message_keys (conversation_id, author, client_message_id, body_hash, seq, answer_id)
     VALUES (${conversationId}, ${key}, ${clientMessageId}, ${sha256(body)}, ${message.seq}, ${answerId ?? null})`);
  return message;
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
