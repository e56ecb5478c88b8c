import type { TeamFacts, TeamFactsChange } from "../../../shared/desk.ts";
import { Failure } from "../../../shared/errors.ts";
import type { Handoff } from "../../../shared/handoff.ts";
import { isInterrupted, type Message } from "../../../shared/message.ts";
import type { DeskStore, DeskTarget, NewReply, Person, Taken } from "../desk.ts";
import { readNote } from "./answer-notes.ts";
import { closeAnswers, oweAnswer } from "./answers.ts";
import { appendAudit } from "./audit.ts";
import { integer, reader } from "./columns.ts";
import { listEarlier } from "./conversation-history.ts";
import { ConversationRow, handoffOf, isAgentActive } from "./conversation-row.ts";
import { endConversation, markRead } from "./conversations.ts";
import { readCustomerPage } from "./customer-page.ts";
import { findRow, requireAccount, requireTaken } from "./desk-row.ts";
import { readDecisions, readQueue, readSummary, readWhole } from "./desk-view.ts";
import { appendEvent, messagesAfter } from "./event-log.ts";
import { answerIdOf, findSent, promiseAnswer, sendMessage } from "./message-keys.ts";
import { q } from "./query.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const Seen = reader({ seq: integer });

/** The team's calls for conversations, in SQLite: one transaction for state, event and audit entry. */
export function createDeskStore({ sql, write }: StoreCore): DeskStore {
  return {
    listDeskConversations: async (workspaceId, after, readerId) =>
      readQueue(sql, workspaceId, after, readerId),
    listDecisions: async (workspaceId, readerId) => readDecisions(sql, workspaceId, readerId),
    readDeskSummary: async (target, readerId) => readSummary(sql, target, readerId),
    readDeskConversation: async (target, readerId) => readWhole(sql, target, readerId),
    readNote: async (target, seq) => readNote(sql, target, seq),
    listEarlier: async (target, after, limit) => listEarlier(sql, target, after, limit),
    readCustomer: async (target, after, limit) => readCustomerPage(sql, target, after, limit),
    acceptHandoff: (target, person) => write((tx) => accept(tx, target, person)),
    takeConversation: (target, person) =>
      write((tx) => {
        const row = openRow(tx, target);
        if (!isAgentActive(row)) return accept(tx, target, person);
        closeAnswers(tx, row.id);
        const handoff = join(tx, row, person);
        audit(tx, target, person, "conversation.join");
        return { taken: true, handoff };
      }),
    reopenConversation: (target, person) => write((tx) => reopen(tx, target, person)),
    replyAsHuman: (target, person, reply) => write((tx) => answerAsHuman(tx, target, person, reply)),
    markReadByHuman: (target, person, seq) =>
      write((tx) => {
        const row = findRow(tx.sql, target);
        requireAccount(tx, person);
        const seen = storeSeen(tx, row, person, seq);
        tellSeen(tx, row, person, seen);
        return seen;
      }),
    describeCustomer: (target, person, change) => write((tx) => describe(tx, target, person, change)),
    returnToAgent: (target, person) => write((tx) => giveBack(tx, target, person)),
    resolveConversation: (target, person) => write((tx) => resolve(tx, target, person)),
  };
}

function accept(tx: Transaction, target: DeskTarget, person: Person): Taken {
  const row = openRow(tx, target);
  const current = handoffOf(row);
  if (row.handoff_status === "accepted" && row.taken_by !== null) {
    if (row.taken_by === person.id && current) return { taken: true, handoff: current };
    return { taken: false, by: { id: row.taken_by, name: row.taken_by_name ?? "" } };
  }
  if (row.handoff_status !== "requested" || !current) {
    throw new Failure("handoff_unavailable", {
      detail: "Nobody has asked for a person here. The agent answers.",
    });
  }
  tx.sql.run(
    q`UPDATE handoffs SET status = 'accepted', accepted_at = ${tx.now}, user_id = ${person.id}, user_name = ${person.name}
      WHERE id = ${current.id}`,
  );
  tx.sql.run(q`UPDATE conversations
    SET handoff_status = 'accepted', waiting_since = NULL, taken_by = ${person.id}, taken_by_name = ${person.name}
     WHERE id = ${row.id}`);
  const handoff: Handoff = { id: current.id, status: "accepted", human: { name: person.name } };
  appendEvent(tx, row.id, { type: "handoff.accepted", handoff });
  tellSeen(tx, findRow(tx.sql, target), person, seenBy(tx, row, person));
  audit(tx, target, person, "conversation.take");
  return { taken: true, handoff };
}

/**
 * Opens an ended conversation and takes it. A customer sees the one that they began or continued last, whose log has
 * the latest entry, and none after they erased it: each other one of theirs stays ended.
 */
function reopen(tx: Transaction, target: DeskTarget, person: Person): Handoff {
  const row = findRow(tx.sql, target);
  const current = handoffOf(row);
  if (row.status === "open") {
    if (row.handoff_status === "accepted" && row.taken_by === person.id && current) return current;
    throw new Failure("handoff_unavailable", { detail: "This conversation is open." });
  }
  const hasAnother = tx.sql.has(q`SELECT 1 FROM conversations
    WHERE customer_id = ${row.customer_id}
      AND (last_at, started_at, id) > (${row.last_at}, ${row.started_at}, ${row.id})
    UNION ALL SELECT 1 FROM erased_conversations
    WHERE customer_id = ${row.customer_id} AND at > ${row.last_at}`);
  if (hasAnother) {
    throw new Failure("conversation_ended", {
      detail: "The customer has left this conversation for another one, so it can't be reopened.",
    });
  }
  tx.sql.run(q`UPDATE conversations SET status = 'open' WHERE id = ${row.id}`);
  appendEvent(tx, row.id, { type: "conversation.reopened", by: "human" });
  const handoff = join(tx, findRow(tx.sql, target), person);
  audit(tx, target, person, "conversation.reopen");
  return handoff;
}

/** A person joins without having been asked for: an accepted handoff that nobody waited for. */
function join(tx: Transaction, row: ConversationRow, person: Person): Handoff {
  const id = tx.newId("hand");
  tx.sql.run(q`INSERT INTO handoffs
      (id, workspace_id, conversation_id, adapter, status, requested_at, accepted_at, user_id, user_name)
    VALUES (${id}, ${row.workspace_id}, ${row.id}, 'desk', 'accepted', ${tx.now}, ${tx.now}, ${person.id}, ${person.name})`);
  tx.sql.run(q`UPDATE conversations
    SET handoff_id = ${id}, handoff_status = 'accepted', waiting_since = NULL,
      taken_by = ${person.id}, taken_by_name = ${person.name}
     WHERE id = ${row.id}`);
  const handoff: Handoff = { id, status: "accepted", human: { name: person.name } };
  appendEvent(tx, row.id, { type: "handoff.accepted", handoff });
  const joined = { ...row, handoff_status: "accepted", taken_by: person.id } as const;
  tellSeen(tx, joined, person, seenBy(tx, row, person));
  return handoff;
}

/** Moves how far this person has seen, never back and never beyond the log. */
function storeSeen(tx: Transaction, row: ConversationRow, person: Person, seq: number): number {
  tx.sql.run(q`INSERT INTO desk_reads (conversation_id, user_id, seq)
    VALUES (${row.id}, ${person.id}, ${Math.min(seq, row.last_seq)})
     ON CONFLICT (conversation_id, user_id) DO UPDATE SET seq = max(seq, excluded.seq)`);
  return seenBy(tx, row, person);
}

function seenBy(tx: Transaction, row: ConversationRow, person: Person): number {
  const seen = tx.sql.one(
    Seen,
    q`SELECT seq FROM desk_reads WHERE conversation_id = ${row.id} AND user_id = ${person.id}`,
  );
  return seen?.seq ?? 0;
}

/** Tells the customer, if this is the person who answers: a colleague who reads along has not seen it for the team. */
function tellSeen(tx: Transaction, row: ConversationRow, person: Person, seq: number): void {
  if (row.handoff_status === "accepted" && row.taken_by === person.id) markRead(tx, row, "human", seq);
}

function answerAsHuman(tx: Transaction, target: DeskTarget, person: Person, reply: NewReply): Message {
  const row = findRow(tx.sql, target);
  const first = findSent(tx, row.id, person.id, reply);
  if (first) return first.message;
  requireOpen(row);
  requireTaken(row, person);
  const message = sendMessage(tx, row.id, reply, {
    key: person.id,
    role: "human",
    author: { name: person.name },
  });
  audit(tx, target, person, reply.fromDraft ? "conversation.reply_from_draft" : "conversation.reply");
  return message;
}

/** The desk shows a linked conversation under the visitor who started it, so theirs is the name. */
function describe(tx: Transaction, target: DeskTarget, person: Person, change: TeamFactsChange): TeamFacts {
  const { id } = findRow(tx.sql, target);
  const before = readSummary(tx.sql, target, undefined)?.customer.team;
  const { name = before?.name ?? null, email = before?.email ?? null } = change;
  const changed = tx.sql.run(q`UPDATE customers SET team_name = ${name}, team_email = ${email}
    WHERE id = (SELECT coalesce(started_by, customer_id) FROM conversations WHERE id = ${id})
      AND (team_name IS NOT ${name} OR team_email IS NOT ${email})`);
  if (changed > 0) audit(tx, target, person, "customer.described");
  return { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) };
}

function giveBack(tx: Transaction, target: DeskTarget, person: Person): Handoff {
  const row = openRow(tx, target);
  const current = handoffOf(row);
  if (row.handoff_status === "returned" && current) return current;
  requireTaken(row, person);
  const handoff: Handoff = { id: row.handoff_id ?? "", status: "returned" };
  tx.sql.run(q`UPDATE handoffs SET status = 'returned', closed_at = ${tx.now} WHERE id = ${handoff.id}`);
  tx.sql.run(
    q`UPDATE conversations SET handoff_status = 'returned', taken_by = NULL, taken_by_name = NULL
      WHERE id = ${row.id}`,
  );
  appendEvent(tx, row.id, { type: "handoff.returned", handoff });
  if (hasUnseenQuestion(tx, row, person)) {
    const answerId = tx.newId("msg");
    oweAnswer(tx, row.id, { turnSeq: row.customer_seq, answerId, terms: undefined });
    promiseAnswer(tx, row.id, row.customer_seq, answerId);
  }
  audit(tx, target, person, "conversation.return");
  return handoff;
}

/**
 * Whether the person who hands back has not seen the customer's last message, and nobody has answered it. A person's
 * message or its own answer counts, also one with a notice. An answer to an earlier message, or a piece that a person
 * interrupted, does not.
 */
function hasUnseenQuestion(tx: Transaction, row: ConversationRow, person: Person): boolean {
  if (row.customer_seq <= seenBy(tx, row, person)) return false;
  const answerId = answerIdOf(tx, row.id, row.customer_seq);
  return messagesAfter(tx.sql, row.id, row.customer_seq, row.last_seq).every(
    (message) => message.role !== "human" && (message.id !== answerId || isInterrupted(message)),
  );
}

function resolve(tx: Transaction, target: DeskTarget, person: Person): { id: string; status: "ended" } {
  const row = findRow(tx.sql, target);
  if (row.status === "open") {
    if (row.handoff_status === "accepted") requireTaken(row, person);
    closeAnswers(tx, row.id);
    endConversation(tx, row.id, "human");
    audit(tx, target, person, "conversation.resolve");
  }
  return { id: row.id, status: "ended" };
}

/**
 * Puts every conversation that a person has taken back into the queue, where a customer without an answer has waited
 * since their message. Their customers read that a person was asked for, and no longer that one has joined.
 */
export function releaseTaken(tx: Transaction, workspaceId: string, userId: string): void {
  const rows = tx.sql.all(
    ConversationRow,
    q`SELECT * FROM conversations
     WHERE workspace_id = ${workspaceId} AND taken_by = ${userId} AND status = 'open' AND handoff_status = 'accepted'`,
  );
  for (const { id, handoff_id } of rows) {
    const handoff: Handoff = { id: handoff_id ?? "", status: "requested" };
    tx.sql.run(
      q`UPDATE handoffs SET status = 'requested', accepted_at = NULL, user_id = NULL, user_name = NULL
        WHERE id = ${handoff.id}`,
    );
    tx.sql.run(q`UPDATE conversations
      SET handoff_status = 'requested', waiting_since = coalesce(unanswered_since, ${tx.now}), taken_by = NULL, taken_by_name = NULL
       WHERE id = ${id}`);
    appendEvent(tx, id, { type: "handoff.requested", handoff });
  }
}

/** One query for id and workspace, so another workspace's conversation and a missing one look the same. */
function openRow(tx: Transaction, target: DeskTarget): ConversationRow {
  const row = findRow(tx.sql, target);
  requireOpen(row);
  return row;
}

function requireOpen(row: ConversationRow): void {
  if (row.status === "ended")
    throw new Failure("conversation_ended", { detail: "This conversation has ended." });
}

/** Records a change in its transaction. @throws Failure `session_expired`, which undoes the change */
function audit(tx: Transaction, target: DeskTarget, person: Person, action: string): void {
  requireAccount(tx, person);
  appendAudit(tx, {
    workspaceId: target.workspaceId,
    userId: person.id,
    action,
    target: target.conversationId,
  });
}
