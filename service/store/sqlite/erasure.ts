import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../../shared/errors.ts";
import { ANONYMOUS_PREFIX } from "../../../shared/id.ts";
import { loopTurn } from "../../../shared/server/loop-turn.ts";
import type { Random } from "../../../shared/server/random.ts";
import { transact } from "../../../shared/server/transact.ts";
import type { Published } from "../../live/hub.ts";
import type { ErasedRows, ErasureRows } from "../erasure.ts";
import type { Owner } from "../owner.ts";
import { attachmentIdsOf } from "./attachments.ts";
import { appendAudit } from "./audit.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import type { Compaction } from "./compaction.ts";
import { ownedRow } from "./conversation-row.ts";
import { readCustomerExport } from "./customer-export.ts";
import { forgetContacts } from "./customers.ts";
import { compactDatabase, compactSmall, emptyLog } from "./database.ts";
import { ERASED_WITH_CUSTOMER } from "./erased-elsewhere.ts";
import { q } from "./query.ts";
import type { Reserve } from "./reserve.ts";
import { mayLackSpace, storageFailure } from "./storage-failure.ts";
import type { StoreCore } from "./store-core.ts";
import { createTransaction, type Transaction } from "./write-queue.ts";

const LastSeq = reader({ last_seq: integer });
const StarterRow = reader({ started_by: nullable(text) });
const IdRow = reader({ id: text });
const Aged = reader({
  id: text,
  workspace_id: text,
  updated_at: integer,
  place: integer,
  is_forgotten: integer,
});

/** Few enough that no request waits for the reading. */
const READ_AT_ONCE = 100;
/** Written as in the index `customers_by_age`, which a parameter would not match. */
const ANONYMOUS = { fragment: `substr(c.external_id, 1, 5) = '${ANONYMOUS_PREFIX}'` };
/** How many events of a log one transaction removes: few enough for the smallest reserve on a full disk, and for others. */
const EVENTS_AT_ONCE = 50;

export interface ErasureDeps extends StoreCore {
  readonly database: DatabaseSync;
  readonly random: Random;
  readonly reserve: Reserve | undefined;
  readonly compaction: Compaction;
  /** Tells subscribers of a conversation that it is gone. */
  readonly publish: (entry: Published) => void;
}

interface ErasingDeps extends ErasureDeps {
  /** Leaves no copy of what was deleted; returns true only if that is so. */
  readonly overwrite: () => boolean;
  /** Asked in each transaction: once it is true, no more is removed. */
  readonly isSpared?: (tx: Transaction) => boolean;
}

/** The result of one erasing transaction. */
interface Removed {
  readonly conversations: readonly string[];
  readonly files: readonly string[];
}

/**
 * Erasure in SQLite. Deleted rows are overwritten in the file (`secure_delete`), except for copies between the rows of
 * others: a small database is rewritten at once, a large one by `compact`, and the answer says which. On a full disk it
 * uses the space that the reserve releases.
 */
export function createErasureRows(deps: ErasureDeps): ErasureRows {
  const { sql } = deps;
  return {
    filesOfConversation: async (owner, id) => attachmentIdsOf(sql, presentOf(deps, owner, id)),
    filesOfCustomer: async (workspaceId, externalId) =>
      attachmentIdsOf(sql, conversationsOf(deps, findCustomer(deps, workspaceId, externalId))),
    async eraseConversation(owner, id) {
      const ids = presentOf(deps, owner, id);
      return erase({ ...deps, overwrite: deps.compaction.soon }, owner.workspaceId, ids, (tx) => {
        const removed = eraseConversation(tx, owner, id);
        if (removed.conversations.length > 0) deps.compaction.note(tx);
        return removed;
      });
    },
    async eraseCustomer(workspaceId, externalId) {
      const customerId = findCustomer(deps, workspaceId, externalId);
      const ids = conversationsOf(deps, customerId);
      return erase({ ...deps, overwrite: deps.compaction.now }, workspaceId, ids, (tx) => {
        noteErasure(tx, { workspaceId, action: "customer.erased", target: customerId });
        // By these a serving process notices that another one erased them.
        for (const target of conversationsOf(tx, customerId))
          noteErasure(tx, { workspaceId, action: ERASED_WITH_CUSTOMER, target });
        return eraseCustomer(tx, customerId);
      });
    },
    async purgeCustomer({ workspaceId, customerId }, before) {
      const ids = conversationsOf(deps, customerId);
      const isSpared = (tx: Transaction) => isUsed(tx, customerId, before);
      return erase({ ...deps, overwrite: deps.compaction.soon, isSpared }, workspaceId, ids, (tx) => {
        if (isSpared(tx)) return { conversations: [], files: [] };
        deps.compaction.note(tx);
        for (const target of conversationsOf(tx, customerId))
          noteErasure(tx, { workspaceId, action: "conversation.purged", target });
        return eraseCustomer(tx, customerId);
      });
    },
    async *findForgotten(before) {
      // The place in the index, because those who stay would be read again for each hundred.
      for (let last = { updated_at: -1, place: -1 }; ; await loopTurn()) {
        const rows = sql.all(
          Aged,
          q`SELECT c.id, c.workspace_id, c.updated_at, c.rowid AS place,
              NOT EXISTS (SELECT 1 FROM conversations v WHERE v.customer_id = c.id
                AND (v.last_at >= ${before} OR v.desk_state IN ('waiting', 'taken')))
              AND NOT EXISTS (SELECT 1 FROM conversations v WHERE v.started_by = c.id) AS is_forgotten
            FROM customers c
            WHERE (c.updated_at, c.rowid) > (${last.updated_at}, ${last.place})
              AND c.updated_at < ${before} AND ${ANONYMOUS}
            ORDER BY c.updated_at, c.rowid LIMIT ${READ_AT_ONCE}`,
        );
        for (const { id, workspace_id, is_forgotten } of rows)
          if (is_forgotten === 1) yield { workspaceId: workspace_id, customerId: id };
        const end = rows.at(-1);
        if (!end) return;
        last = end;
      }
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
function eraseConversation(tx: Transaction, owner: Owner, id: string): Removed {
  if (wasErased(tx, owner, id)) return { conversations: [], files: [] };
  ownedRow(tx.sql, owner, id);
  const files = attachmentIdsOf(tx.sql, [id]);
  const writers = [owner.customerId, ...startersOf(tx, id)];
  deleteConversation(tx, id);
  forgetContacts(tx, writers);
  tx.sql.run(
    q`INSERT INTO erased_conversations (id, customer_id, at) VALUES (${id}, ${owner.customerId}, ${tx.now})`,
  );
  const { workspaceId } = owner;
  noteErasure(tx, { workspaceId, action: "conversation.erased", target: id });
  return { conversations: [id], files };
}

function noteErasure(tx: Transaction, entry: { workspaceId: string; action: string; target: string }): void {
  appendAudit(tx, { ...entry, userId: undefined });
}

function eraseCustomer(tx: Transaction, customerId: string): Removed {
  const conversations = conversationsOf(tx, customerId);
  const files = attachmentIdsOf(tx.sql, conversations);
  const starters = conversations.flatMap((id) => startersOf(tx, id));
  for (const id of conversations) deleteConversation(tx, id);
  forgetContacts(tx, starters);
  tx.sql.run(q`DELETE FROM customers WHERE id = ${customerId}`);
  return { conversations, files };
}

/** Whether an anonymous customer has an entry since `before`, or was identified. */
function isUsed({ sql }: Pick<ErasureDeps, "sql">, customerId: string, before: number): boolean {
  return sql.has(q`SELECT 1 FROM customers WHERE id = ${customerId} AND updated_at >= ${before}
    UNION ALL SELECT 1 FROM conversations WHERE customer_id = ${customerId} AND last_at >= ${before}
    UNION ALL SELECT 1 FROM conversations WHERE started_by = ${customerId}`);
}

async function erase(
  deps: ErasingDeps,
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

/** A long log is removed piece by piece, so that the writes of others never wait for all of it. */
async function eraseRows(deps: ErasingDeps, ids: readonly string[], work: (tx: Transaction) => Removed) {
  const shorten = (tx: Transaction, id: string, most: number) =>
    !deps.isSpared?.(tx) && shortenLog(tx, id, most);
  try {
    for (const id of ids) while (await deps.write((tx) => shorten(tx, id, EVENTS_AT_ONCE)));
    const removed = await deps.write(work);
    return { removed, overwritten: deps.overwrite() };
  } catch (error) {
    if (!deps.reserve || !mayLackSpace(error)) throw error;
    return eraseOnFullDisk({ ...deps, reserve: deps.reserve, shorten }, ids, work);
  }
}

/**
 * The same on a full disk. It never awaits, so no other write can take the space that the reserve releases. A long log
 * is removed piece by piece from its end, so that a kill in the middle leaves a log without gaps.
 */
function eraseOnFullDisk(
  deps: ErasureDeps & { readonly reserve: Reserve; readonly shorten: typeof shortenLog },
  ids: readonly string[],
  work: (tx: Transaction) => Removed,
) {
  const { database, clock, reserve, shorten } = deps;
  // The caller publishes what was erased.
  const inOne = <T>(run: (tx: Transaction) => T) =>
    transact(database, () => run(createTransaction(deps, clock.now(), () => undefined)));
  reserve.release();
  try {
    emptyLog(database);
    for (const id of ids) while (inOne((tx) => shorten(tx, id, 0))) emptyLog(database);
    return { removed: inOne(work), overwritten: compactSmall(database) === "done" };
  } catch (error) {
    throw storageFailure(error);
  } finally {
    reserve.fill();
  }
}

/** Removes the last events of a log that has more than `most`, with their keys; false when it has no more. */
function shortenLog(tx: Transaction, id: string, most: number): boolean {
  const row = tx.sql.one(LastSeq, q`SELECT last_seq FROM conversations WHERE id = ${id}`);
  if (!row || row.last_seq <= most) return false;
  const left = Math.max(0, row.last_seq - EVENTS_AT_ONCE);
  tx.sql.run(q`DELETE FROM pending_answers WHERE conversation_id = ${id}`);
  tx.sql.run(q`DELETE FROM message_keys WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`DELETE FROM actions WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`DELETE FROM answer_notes WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`DELETE FROM answer_feedback WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`DELETE FROM events WHERE conversation_id = ${id} AND seq > ${left}`);
  tx.sql.run(q`UPDATE conversations SET last_seq = ${left}, status = 'ended', preview = '' WHERE id = ${id}`);
  return true;
}

/** The id of a conversation that is still there. @throws Failure `not_found` for a foreign and for a missing one */
function presentOf(deps: ErasureDeps, owner: Owner, id: string): string[] {
  return wasErased(deps, owner, id) ? [] : [ownedRow(deps.sql, owner, id).id];
}

function wasErased({ sql }: Pick<ErasureDeps, "sql">, { customerId }: Owner, id: string): boolean {
  return sql.has(q`SELECT 1 FROM erased_conversations WHERE id = ${id} AND customer_id = ${customerId}`);
}

/**
 * Events, keys, owed answers, notes and feedback on answers, actions and handoffs go with the conversation's row; the
 * stored answers of repeated requests are removed separately.
 */
function deleteConversation(tx: Transaction, id: string): void {
  tx.sql.run(
    q`DELETE FROM idempotency
      WHERE customer_id IN (SELECT customer_id FROM conversations WHERE id = ${id}
                            UNION ALL SELECT started_by FROM conversations WHERE id = ${id})
        AND (operation IN (${`handoffs ${id}`}, ${`attachments ${id}`})
             OR operation = 'conversations' AND answer_json ->> '$.id' = ${id})`,
  );
  tx.sql.run(q`DELETE FROM conversations WHERE id = ${id}`);
}

/** The anonymous visitor who started it, if another customer owns it now. */
function startersOf(tx: Pick<Transaction, "sql">, id: string): string[] {
  const row = tx.sql.one(StarterRow, q`SELECT started_by FROM conversations WHERE id = ${id}`);
  return row?.started_by == null ? [] : [row.started_by];
}

function findCustomer({ sql }: Pick<ErasureDeps, "sql">, workspaceId: string, externalId: string): string {
  const row = sql.one(
    IdRow,
    q`SELECT id FROM customers WHERE workspace_id = ${workspaceId} AND external_id = ${externalId}`,
  );
  if (!row) throw new Failure("not_found", { detail: "There is no customer with this external id." });
  return row.id;
}

function conversationsOf({ sql }: Pick<ErasureDeps, "sql">, customerId: string): string[] {
  return sql
    .all(IdRow, q`SELECT id FROM conversations WHERE customer_id = ${customerId} ORDER BY started_at`)
    .map(({ id }) => id);
}
