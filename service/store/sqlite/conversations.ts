import { Failure } from "../../../shared/errors.ts";
import type { DurableEvent } from "../../../shared/event.ts";
import { markOf } from "../../../shared/mark-of.ts";
import type { Rating } from "../../../shared/rating.ts";
import {
  type ConversationLimits,
  type ConversationStore,
  type NewConversation,
  type NewTurn,
  StartedConversation,
  type Transcript,
  type Turn,
} from "../conversations.ts";
import type { Owner } from "../owner.ts";
import { actionsBetween } from "./actions.ts";
import { giveFeedback, withFeedback } from "./answer-feedback.ts";
import { closeAnswers, oweAnswer } from "./answers.ts";
import { listOwn } from "./conversation-history.ts";
import { linkConversation } from "./conversation-link.ts";
import { reopenConversation } from "./conversation-reopening.ts";
import {
  type ConversationRow,
  conversationOf,
  hasOpenHandoff,
  isAgentActive,
  ownedRow,
  readOf,
} from "./conversation-row.ts";
import { searchOwn } from "./conversation-search.ts";
import { contactOf, isCustomer } from "./customers.ts";
import { wasErasedWithCustomer } from "./erased-elsewhere.ts";
import { appendEvent, eventsAfter, eventsBefore } from "./event-log.ts";
import { findAnswer, forgetAnswer, storeAnswer } from "./idempotency.ts";
import { findSent, sendMessage } from "./message-keys.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

/** The next conversation would be without the person, so theirs gets half as long again as others. */
const ROOM_WITH_A_PERSON = 1.5;

/** For changes of a rating, which would otherwise fill the log without an end. */
const ROOM_FOR_RATINGS = 2;

/** The author of a customer's message keys; for people it is their user id. */
const CUSTOMER = "customer";

/** Conversations and their logs in SQLite, as their customer sees them. */
export function createConversationStore(
  { sql, write }: StoreCore,
  limits: ConversationLimits,
): ConversationStore {
  return {
    start: (owner, given, idempotency) =>
      write((tx) => {
        const scope = { customerId: owner.customerId, operation: "conversations" };
        const first = idempotency && findAnswer(tx.sql, scope, idempotency, StartedConversation);
        // The stored answer says "open", which is false once the conversation has ended.
        if (first && tx.sql.has(q`SELECT 1 FROM conversations WHERE id = ${first.id} AND status = 'open'`))
          return first;
        const started = insertConversation(tx, owner, given);
        if (idempotency && first) forgetAnswer(tx.sql, scope, idempotency);
        if (idempotency) storeAnswer(tx, scope, idempotency, started);
        return started;
      }),
    listOwn: (owner, after, limit) => listOwn(sql, owner, after, limit),
    searchOwn: (owner, text, after, limit) => searchOwn(sql, owner, text, after, limit),
    async readEvents(owner, id, after, limit) {
      const row = ownedRow(sql, owner, id);
      return {
        events: eventsAfter(sql, id, after, limit),
        lastSeq: row.last_seq,
        read: readOf(row),
      };
    },
    async readTranscript(owner, id, after, limit) {
      const row = shownRow(sql, owner, id);
      const events = eventsAfter(sql, id, after, limit);
      const end = events.at(-1)?.seq ?? row.last_seq;
      return { ...pageOf(sql, row, events), nextAfter: end < row.last_seq ? end : undefined };
    },
    async readTranscriptBefore(owner, id, before, limit) {
      const row = shownRow(sql, owner, id);
      const events = eventsBefore(sql, id, before, limit);
      const start = events[0]?.seq ?? 1;
      return { ...pageOf(sql, row, events), nextBefore: start > 1 ? start : undefined };
    },
    rate: (owner, id, rating) => write((tx) => rate(tx, limits, owner, id, rating)),
    giveFeedback: (owner, id, feedback) => write((tx) => giveFeedback(tx, owner, id, feedback)),
    markRead: (owner, id, seq) =>
      write((tx) => {
        const row = ownedRow(tx.sql, owner, id);
        if (seq > row.last_seq) throw new Failure("bad_request", { detail: "seq: is not in the log yet." });
        return markRead(tx, row, CUSTOMER, seq);
      }),
    addTurn: (owner, id, turn) => write((tx) => addTurn(tx, limits, owner, id, turn)),
    link: (workspaceId, id, given) => write((tx) => linkConversation(tx, workspaceId, id, given)),
    reopen: (owner, id) =>
      write((tx) => {
        const row = ownedRow(tx.sql, owner, id);
        if (row.status === "ended") {
          requireRoom(row, limits);
          reopenConversation(tx, row);
        }
        return { id, status: "open" as const };
      }),
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

function pageOf(sql: Sql, row: ConversationRow, events: readonly DurableEvent[]): Transcript {
  return {
    conversation: { ...conversationOf(row), ...contactOf(sql, row.customer_id) },
    messages: withFeedback(
      sql,
      row.id,
      events.flatMap((event) => (event.type === "message.created" ? event.message : [])),
    ),
    marks: events.flatMap((event) => markOf(event) ?? []),
    ...actionsOn(sql, row, events),
    lastSeq: row.last_seq,
  };
}

function actionsOn(sql: Sql, { id }: ConversationRow, events: readonly DurableEvent[]) {
  const [first, last] = [events[0], events.at(-1)];
  const actions = first && last ? actionsBetween(sql, id, first.seq, last.seq) : [];
  return actions.length > 0 ? { actions } : {};
}

/** Ends an open conversation: the row, its handoff and the event. */
export function endConversation(tx: Transaction, id: string, by: "customer" | "human"): void {
  tx.sql.run(q`UPDATE conversations SET status = 'ended', waiting_since = NULL WHERE id = ${id}`);
  tx.sql.run(
    q`UPDATE handoffs SET closed_at = ${tx.now} WHERE conversation_id = ${id} AND closed_at IS NULL`,
  );
  appendEvent(tx, id, { type: "conversation.ended", by });
}

function rate(tx: Transaction, limits: ConversationLimits, owner: Owner, id: string, rating: Rating): Rating {
  const row = ownedRow(tx.sql, owner, id);
  const { score, comment } = rating;
  const after = comment === undefined ? { score } : { score, comment };
  const json = JSON.stringify(after);
  if (json !== row.rating_json) {
    if (row.rating_json !== null) requireRoom(row, limits, ROOM_FOR_RATINGS);
    tx.sql.run(q`UPDATE conversations SET rating_json = ${json} WHERE id = ${id}`);
    appendEvent(tx, id, { type: "conversation.rated", rating: after });
  }
  return after;
}

/** Moves one side's read position, never back and never beyond the log. Publishes a change; returns the position. */
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

function insertConversation(tx: Transaction, owner: Owner, given: NewConversation): StartedConversation {
  if (!isCustomer(tx, owner.workspaceId, owner.customerId)) throw new Failure("unauthenticated");
  const id = tx.newId("conv");
  tx.sql.run(q`INSERT INTO conversations
       (id, workspace_id, customer_id, status, subject, route_json, locale, started_page, started_browser,
        started_at, last_at)
     VALUES (${id}, ${owner.workspaceId}, ${owner.customerId}, 'open', ${given.subject ?? null},
       ${JSON.stringify(given.route)}, ${given.locale ?? null}, ${given.startedFrom?.page ?? null},
       ${given.startedFrom?.browser ?? null}, ${tx.now}, ${tx.now})`);
  appendEvent(tx, id, { type: "conversation.started" });
  return { id, status: "open", startedAt: new Date(tx.now).toISOString(), route: given.route };
}

/** The row for its transcript. @throws Failure `conversation_erased`, and as `ownedRow` */
function shownRow(sql: Sql, owner: Owner, id: string): ConversationRow {
  try {
    return ownedRow(sql, owner, id);
  } catch (error) {
    // The owner was erased too, so nobody can be compared. Ids are random: only a former owner knows one.
    throw wasErasedWithCustomer(sql, owner.workspaceId, id) ? new Failure("conversation_erased") : error;
  }
}

/** @throws Failure `conversation_full` */
function requireRoom(row: ConversationRow, { entries, bytes }: ConversationLimits, room = 1): void {
  if (row.last_seq >= entries * room || row.bytes >= bytes * room) throw new Failure("conversation_full");
}

function addTurn(tx: Transaction, limits: ConversationLimits, owner: Owner, id: string, turn: NewTurn): Turn {
  const row = ownedRow(tx.sql, owner, id);
  const first = findSent(tx, id, CUSTOMER, turn);
  if (first) return first;
  if (row.status === "ended") throw new Failure("conversation_ended");
  requireRoom(row, limits, hasOpenHandoff(row) ? ROOM_WITH_A_PERSON : 1);
  const answerId = isAgentActive(row) ? tx.newId("msg") : undefined;
  const message = sendMessage(tx, id, turn, { key: CUSTOMER, role: "customer", answerId });
  if (answerId !== undefined) oweAnswer(tx, id, { turnSeq: message.seq, answerId, terms: turn.lease });
  return { message, answerId };
}
