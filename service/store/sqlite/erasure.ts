import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../../shared/errors.ts";
import type { Published } from "../../live/hub.ts";
import type { ErasedRows, ErasureRows } from "../erasure.ts";
import type { Owner } from "../owner.ts";
import { attachmentIdsOf } from "./attachments.ts";
import { appendAudit } from "./audit.ts";
import { integer, reader, text } from "./columns.ts";
import { ownedRow } from "./conversation-row.ts";
import { readCustomerExport } from "./customer-export.ts";
import { compactDatabase, compactSmall } from "./database.ts";
import { q } from "./query.ts";
import type { Reserve } from "./reserve.ts";
import { storageFailure } from "./storage-failure.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const LastSeq = reader({ last_seq: integer });
const CustomerId = reader({ id: text });

/** Events that one transaction takes from a log while the disk is full: little enough for the smallest reserve. */
const EVENTS_AT_ONCE = 50;

export interface ErasureDeps extends StoreCore {
  readonly database: DatabaseSync;
  readonly reserve: Reserve | undefined;
  /** Reports to whoever follows a conversation that it is gone. */
  readonly publish: (entry: Published) => void;
}

/** What one transaction erased. */
interface Removed {
  readonly conversations: readonly string[];
  readonly files: readonly string[];
}

/**
 * Erasure in SQLite. Deleted rows are overwritten in the file (`secure_delete`), except for copies between the rows of
 * others: a small database is rewritten at once, a large one by `compact`, and the answer says which it was. On a full
 * disk it works in the room that the reserve gives back.
 */
export function createErasureRows(deps: ErasureDeps): ErasureRows {
  const { sql } = deps;
  return {
    async filesOfConversation(owner, id) {
      if (wasErased(deps, owner, id)) return [];
      return attachmentIdsOf(sql, [ownedRow(sql, owner, id).id]);
    },
    filesOfCustomer: async (workspaceId, externalId) =>
      attachmentIdsOf(sql, conversationsOf(deps, findCustomer(deps, workspaceId, externalId))),
    eraseConversation: (owner, id) =>
      erase(deps, owner.workspaceId, [id], (tx) => eraseConversation(tx, deps, owner, id)),
    async eraseCustomer(workspaceId, externalId) {
      const customerId = findCustomer(deps, workspaceId, externalId);
      const ids = conversationsOf(deps, customerId);
      return erase(deps, workspaceId, ids, (tx) => eraseCustomer(tx, deps, workspaceId, customerId));
    },
    async exportCustomer(workspaceId, externalId) {
      return readCustomerExport(sql, findCustomer(deps, workspaceId, externalId));
    },
    async compact() {
      try {
        return compactDatabase(deps.database);
      } catch (error) {
        throw storageFailure(error);
      }
    },
  };
}

/** @throws Failure `not_found` */
function eraseConversation(tx: Transaction, { random }: ErasureDeps, owner: Owner, id: string): Removed {
  if (wasErased(tx, owner, id)) return { conversations: [], files: [] };
  ownedRow(tx.sql, owner, id);
  const files = attachmentIdsOf(tx.sql, [id]);
  deleteConversation(tx, id);
  tx.sql.run(
    q`INSERT INTO erased_conversations (id, customer_id, at) VALUES (${id}, ${owner.customerId}, ${tx.now})`,
  );
  const { workspaceId } = owner;
  appendAudit(tx, random, { workspaceId, userId: undefined, action: "conversation.erased", target: id });
  return { conversations: [id], files };
}

function eraseCustomer(
  tx: Transaction,
  { random }: ErasureDeps,
  workspaceId: string,
  customerId: string,
): Removed {
  const conversations = conversationsOf(tx, customerId);
  const files = attachmentIdsOf(tx.sql, conversations);
  for (const id of conversations) deleteConversation(tx, id);
  tx.sql.run(q`DELETE FROM customers WHERE id = ${customerId}`);
  appendAudit(tx, random, { workspaceId, userId: undefined, action: "customer.erased", target: customerId });
  return { conversations, files };
}

async function erase(
  deps: ErasureDeps,
  workspaceId: string,
  ids: readonly string[],
  work: (tx: Transaction) => Removed,
): Promise<ErasedRows> {
  const { removed, overwritten } = await eraseRows(deps, ids, work);
  for (const conversationId of removed.conversations) {
    deps.publish({ workspaceId, conversationId, event: { type: "conversation.erased" } });
  }
  return { conversations: removed.conversations.length, files: removed.files, overwritten };
}

async function eraseRows(deps: ErasureDeps, ids: readonly string[], work: (tx: Transaction) => Removed) {
  try {
    const removed = await deps.write(work);
    return { removed, overwritten: overwrite(deps) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "storage_full" || !deps.reserve) throw error;
    return eraseOnFullDisk(deps, deps.reserve, ids, work);
  }
}

/** Leaves no copy of what was deleted; true only if that is so. Where the room is missing, the reserve gives its own. */
function overwrite({ database, reserve }: ErasureDeps): boolean {
  const first = compactSmall(database);
  if (first !== "no_room" || !reserve?.release()) return first === "done";
  try {
    return compactSmall(database) === "done";
  } finally {
    reserve.fill();
  }
}

/**
 * The same while the disk is full. Nothing here waits: no other write can take the room that the reserve gives back.
 * A long log goes piece by piece from its end, so that a kill in the middle leaves a log without a hole.
 */
function eraseOnFullDisk(
  deps: ErasureDeps,
  reserve: Reserve,
  ids: readonly string[],
  work: (tx: Transaction) => Removed,
) {
  reserve.release();
  try {
    emptyLog(deps);
    for (const id of ids) {
      while (transact(deps, (tx) => shortenLog(tx, id))) emptyLog(deps);
    }
    const removed = transact(deps, work);
    return { removed, overwritten: compactSmall(deps.database) === "done" };
  } finally {
    reserve.fill();
  }
}

/** One transaction at once, beside the queue of the others. @throws Failure `storage_full`, `unavailable` */
function transact<T>({ sql, clock, database }: ErasureDeps, work: (tx: Transaction) => T): T {
  sql.run(q`BEGIN IMMEDIATE`);
  try {
    // What is erased is published by its caller.
    const value = work({ sql, now: clock.now(), publish: () => undefined });
    sql.run(q`COMMIT`);
    return value;
  } catch (error) {
    if (database.isTransaction) sql.run(q`ROLLBACK`);
    throw error;
  }
}

/** Takes the last events of a log, with their keys; false when there was nothing left to take. */
function shortenLog(tx: Transaction, id: string): boolean {
  const row = tx.sql.one(LastSeq, q`SELECT last_seq FROM conversations WHERE id = ${id}`);
  if (!row || row.last_seq === 0) return false;
  const left = Math.max(0, row.last_seq - EVENTS_AT_ONCE);
  tx.sql.run(q`DELETE FROM pending_answers WHERE conversation_id = ${id}`);
  tx.sql.run(q`DELETE FROM message_keys WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`DELETE FROM events WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`UPDATE conversations SET last_seq = ${left}, status = 'ended', preview = '' WHERE id = ${id}`);
  return true;
}

function wasErased({ sql }: Pick<ErasureDeps, "sql">, { customerId }: Owner, id: string): boolean {
  return sql.has(q`SELECT 1 FROM erased_conversations WHERE id = ${id} AND customer_id = ${customerId}`);
}

/** Events, keys, owed answers and handoffs go with the conversation's row; its answers to repeated requests by name. */
function deleteConversation(tx: Transaction, id: string): void {
  tx.sql.run(
    q`DELETE FROM idempotency WHERE operation IN (${`handoffs ${id}`},
      ${`attachments ${id}`}) OR (operation = 'conversations' AND answer_json ->> '$.id' = ${id})`,
  );
  tx.sql.run(q`DELETE FROM conversations WHERE id = ${id}`);
}

/** Brings the write-ahead log into the database; without effect while another process reads from it. */
function emptyLog({ sql }: Pick<ErasureDeps, "sql">): void {
  sql.run(q`PRAGMA wal_checkpoint(TRUNCATE)`);
}

function findCustomer({ sql }: Pick<ErasureDeps, "sql">, workspaceId: string, externalId: string): string {
  const row = sql.one(
    CustomerId,
    q`SELECT id FROM customers WHERE workspace_id = ${workspaceId} AND external_id = ${externalId}`,
  );
  if (!row) throw new Failure("not_found", { detail: "There is no customer with this external id." });
  return row.id;
}

function conversationsOf({ sql }: Pick<ErasureDeps, "sql">, customerId: string): string[] {
  return sql
    .all(CustomerId, q`SELECT id FROM conversations WHERE customer_id = ${customerId} ORDER BY started_at`)
    .map(({ id }) => id);
}
