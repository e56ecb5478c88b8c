import { Failure } from "../../../shared/errors.ts";
import { markOf } from "../../../shared/mark-of.ts";
import type { Message } from "../../../shared/message.ts";
import type { Rating } from "../../../shared/rating.ts";
import type { Route } from "../../../shared/route.ts";
import { createId, sha256 } from "../../ids.ts";
import { type ConversationStore, type NewTurn, StartedConversation, type Turn } from "../conversations.ts";
import type { Owner } from "../owner.ts";
import { closeAnswers, oweAnswer } from "./answers.ts";
import { sendAttachments, unsentAttachments } from "./attachments.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import { linkConversation } from "./conversation-link.ts";
import { type ConversationRow, conversationOf, isAgentActive, ownedRow, readOf } from "./conversation-row.ts";
import { isCustomer } from "./customers.ts";
import { appendEvent, eventsAfter, messageAt } from "./event-log.ts";
import { findAnswer, storeAnswer } from "./idempotency.ts";
import { q } from "./query.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const MessageKey = reader({ seq: integer, body_hash: text, answer_id: nullable(text) });

/** The author of a customer's message keys; a person's keys have their user id. */
const CUSTOMER = "customer";

/** Conversations and their logs in SQLite, as their customer sees them. */
export function createConversationStore(core: StoreCore): ConversationStore {
  const { sql, write, random } = core;
  return {
    start: (owner, given, idempotency) =>
      write((tx) => {
        const scope = { customerId: owner.customerId, operation: "conversations" };
        const first = idempotency && findAnswer(tx, scope, idempotency, StartedConversation);
        if (first) return first;
        const started = insertConversation(tx, owner, given, createId("conv", tx.now, random));
        if (idempotency) storeAnswer(tx, scope, idempotency, started);
        return started;
      }),
    async readEvents(owner, id, after, limit) {
      const row = ownedRow(sql, owner, id);
      return {
        events: eventsAfter(sql, id, after, limit),
        lastSeq: row.last_seq,
        workspaceId: row.workspace_id,
        read: readOf(row),
      };
    },
    async readTranscript(owner, id, after, limit) {
      const row = ownedRow(sql, owner, id);
      const events = eventsAfter(sql, id, after, limit);
      const end = events.at(-1)?.seq ?? row.last_seq;
      return {
        conversation: conversationOf(row),
        messages: events.flatMap((event) => (event.type === "message.created" ? event.message : [])),
        marks: events.flatMap((event) => markOf(event) ?? []),
        lastSeq: row.last_seq,
        nextAfter: end < row.last_seq ? end : undefined,
      };
    },
    rate: (owner, id, rating) => write((tx) => rate(tx, owner, id, rating)),
    markRead: (owner, id, seq) => write((tx) => markRead(tx, ownedRow(tx.sql, owner, id), CUSTOMER, seq)),
    addTurn: (owner, id, turn) => write((tx) => addTurn(tx, core, owner, id, turn)),
    link: (workspaceId, id, given) => write((tx) => linkConversation(tx, workspaceId, id, given)),
    end: (owner, id) =>
      write((tx) => {
        const row = ownedRow(tx.sql, owner, id);
        if (row.status === "open") {
          closeAnswers(tx, id);
          endConversation(tx, id, CUSTOMER);
        }
        return { id, status: "ended" as const };
      }),
  };
}

/** Ends an open conversation: the row, its handoff and the event. */
export function endConversation(tx: Transaction, id: string, by: "customer" | "human"): void {
  tx.sql.run(q`UPDATE conversations SET status = 'ended', waiting_since = NULL WHERE id = ${id}`);
  tx.sql.run(
    q`UPDATE handoffs SET closed_at = ${tx.now} WHERE conversation_id = ${id} AND closed_at IS NULL`,
  );
  appendEvent(tx, id, { type: "conversation.ended", by });
}

/**
 * The seq of the message that this author wrote under this key, if there is one.
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

function rate(tx: Transaction, owner: Owner, id: string, rating: Rating): Rating {
  const { rating_json: before } = ownedRow(tx.sql, owner, id);
  const { score, comment } = rating;
  const after = comment === undefined ? { score } : { score, comment };
  const json = JSON.stringify(after);
  if (json !== before) {
    tx.sql.run(q`UPDATE conversations SET rating_json = ${json} WHERE id = ${id}`);
    appendEvent(tx, id, { type: "conversation.rated", rating: after });
  }
  return after;
}

/** Moves how far one side has seen, never back and never beyond the log. Returns the position, and publishes it. */
export function markRead(
  tx: Transaction,
  row: ConversationRow,
  by: "customer" | "human",
  seq: number,
): number {
  const before = by === CUSTOMER ? row.read_by_customer : row.read_by_human;
  const upTo = Math.max(before, Math.min(seq, row.last_seq));
  if (upTo === before) return upTo;
  tx.sql.run(
    by === CUSTOMER
      ? q`UPDATE conversations SET read_by_customer = ${upTo} WHERE id = ${row.id}`
      : q`UPDATE conversations SET read_by_human = ${upTo} WHERE id = ${row.id}`,
  );
  tx.publish({
    workspaceId: row.workspace_id,
    conversationId: row.id,
    event: { type: "conversation.read", by, upTo },
  });
  return upTo;
}

function insertConversation(
  tx: Transaction,
  owner: Owner,
  given: { subject: string | undefined; route: Route; locale: string | undefined },
  id: string,
): StartedConversation {
  if (!isCustomer(tx, owner.workspaceId, owner.customerId)) throw new Failure("unauthenticated");
  tx.sql.run(q`INSERT INTO conversations
       (id, workspace_id, customer_id, status, subject, route_json, locale, started_at, last_at)
     VALUES (${id}, ${owner.workspaceId}, ${owner.customerId}, 'open', ${given.subject ?? null},
       ${JSON.stringify(given.route)}, ${given.locale ?? null}, ${tx.now}, ${tx.now})`);
  appendEvent(tx, id, { type: "conversation.started" });
  return { id, status: "open", startedAt: new Date(tx.now).toISOString(), route: given.route };
}

function addTurn(tx: Transaction, { random }: StoreCore, owner: Owner, id: string, turn: NewTurn): Turn {
  const row = ownedRow(tx.sql, owner, id);
  const ids = turn.attachments ?? [];
  const first = findMessageKey(tx, id, CUSTOMER, turn);
  if (first) {
    const message = messageAt(tx.sql, id, first.seq);
    const before = (message.attachments ?? []).map((file) => file.id);
    if (before.join() !== ids.join()) throw new Failure("key_reused");
    return { message, answerId: first.answerId };
  }
  if (row.status === "ended") throw new Failure("conversation_ended");
  const attachments = unsentAttachments(tx, id, ids);
  const message: Omit<Message, "seq" | "at"> = {
    id: createId("msg", tx.now, random),
    role: "customer",
    body: turn.body,
    clientMessageId: turn.clientMessageId,
    ...(attachments.length > 0 ? { attachments } : {}),
  };
  const event = appendEvent(tx, id, { type: "message.created", message });
  sendAttachments(tx, id, ids, event.seq);
  const answerId = isAgentActive(row) ? createId("msg", tx.now, random) : undefined;
  storeMessageKey(tx, id, CUSTOMER, { ...turn, seq: event.seq, answerId });
  if (answerId !== undefined) oweAnswer(tx, id, { turnSeq: event.seq, answerId, terms: turn.lease });
  return { message: event.message, answerId };
}
