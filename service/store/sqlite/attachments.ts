import { type Attachment, AttachmentType } from "../../../shared/attachment.ts";
import { Failure } from "../../../shared/errors.ts";
import { isAnonymousId } from "../../../shared/id.ts";
import {
  type AttachmentRows,
  MAX_CONVERSATION_BYTES,
  MAX_CONVERSATION_FILES,
  StoredFile,
} from "../attachments.ts";
import type { Idempotency } from "../idempotency.ts";
import type { Owner } from "../owner.ts";
import { integer, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { ownedRow } from "./conversation-row.ts";
import { findRow as findConversation, requireTaken } from "./desk-row.ts";
import { findAnswer, forgetAnswer, storeAnswer } from "./idempotency.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const AttachmentRow = reader({
  id: text,
  name: text,
  type: oneOf(...AttachmentType.options),
  size: integer,
  message_seq: nullable(integer),
});
type AttachmentRow = RowOf<typeof AttachmentRow>;
const AttachmentId = reader({ id: text });
const Used = reader({ files: integer, bytes: integer });
const UsedBytes = reader({ bytes: integer, anonymous: integer });
const ExternalId = reader({ external_id: text });

/** Few enough that no other write waits long for them. */
const REMOVED_AT_ONCE = 100;

/**
 * Anybody can create any number of visitors, so this much of the quota is reserved for customers whom the site knows.
 */
const ANONYMOUS_SHARE = 0.5;

/** The rows of files in SQLite. `quotaBytes` is for all files of one workspace. */
export function createAttachmentRows({ sql, write }: StoreCore, quotaBytes: number): AttachmentRows {
  return {
    async requireRoom(owner, conversationId, bytes) {
      requireOpen(sql, owner, conversationId);
      requireBytes(sql, quotaBytes, owner, bytes);
    },
    add: (owner, file, idempotency) => write((tx) => add(tx, quotaBytes, owner, file, idempotency)),
    async ownerFor(target, person) {
      const row = findConversation(sql, target);
      if (row.status === "ended") throw new Failure("conversation_ended");
      requireTaken(row, person);
      return { workspaceId: target.workspaceId, customerId: row.customer_id };
    },
    async find(owner, conversationId, id) {
      ownedRow(sql, owner, conversationId);
      return attachmentOf(findRow(sql, conversationId, id));
    },
    async findSent({ workspaceId, conversationId }, id) {
      const isHere = sql.has(
        q`SELECT 1 FROM conversations WHERE id = ${conversationId} AND workspace_id = ${workspaceId}`,
      );
      const found = isHere ? findRow(sql, conversationId, id) : undefined;
      return attachmentOf(found?.message_seq === null ? undefined : found);
    },
    removeUnsent: (before) =>
      write((tx) =>
        tx.sql
          .all(
            AttachmentId,
            q`DELETE FROM attachments WHERE id IN (
                SELECT id FROM attachments WHERE message_seq IS NULL AND created_at < ${before} LIMIT ${REMOVED_AT_ONCE}
              ) RETURNING id`,
          )
          .map(({ id }) => id),
      ),
    findStrays: async (ids) =>
      sql
        .all(
          AttachmentId,
          q`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
            WHERE NOT EXISTS (SELECT 1 FROM attachments WHERE id = value)`,
        )
        .map(({ id }) => id),
  };
}

function add(
  tx: Transaction,
  quotaBytes: number,
  owner: Owner,
  { sha256, ...file }: StoredFile & { readonly sha256: string },
  idempotency: Idempotency | undefined,
): StoredFile {
  const { conversationId, id, name, type, size } = file.attachment;
  requireOpen(tx.sql, owner, conversationId);
  const scope = { customerId: owner.customerId, operation: `attachments ${conversationId}` };
  const first = idempotency && findAnswer(tx.sql, scope, idempotency, StoredFile);
  if (first && findRow(tx.sql, conversationId, first.attachment.id)) return first;
  requireRoom(tx.sql, conversationId, size);
  requireBytes(tx.sql, quotaBytes, owner, size);
  tx.sql.run(q`INSERT INTO attachments (id, conversation_id, workspace_id, name, type, size, sha256, created_at, anonymous)
     VALUES (${id}, ${conversationId}, ${owner.workspaceId}, ${name}, ${type}, ${size}, ${sha256}, ${tx.now},
       ${isAnonymous(tx.sql, owner) ? 1 : 0})`);
  if (idempotency && first) forgetAnswer(tx.sql, scope, idempotency);
  if (idempotency) storeAnswer(tx, scope, idempotency, file);
  return file;
}

/** @throws Failure `not_found`, `conversation_ended` */
function requireOpen(sql: Sql, owner: Owner, conversationId: string): void {
  if (ownedRow(sql, owner, conversationId).status === "ended") throw new Failure("conversation_ended");
}

/** @throws Failure `too_many_files` */
function requireRoom(sql: Sql, conversationId: string, size: number): void {
  const used = sql.one(
    Used,
    q`SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM attachments
      WHERE conversation_id = ${conversationId}`,
  );
  if (!used || used.files >= MAX_CONVERSATION_FILES || used.bytes + size > MAX_CONVERSATION_BYTES) {
    throw new Failure("too_many_files");
  }
}

/** @throws Failure `storage_full` when the workspace, or its anonymous visitors together, would exceed their quota */
function requireBytes(sql: Sql, quotaBytes: number, owner: Owner, more: number): void {
  const { workspaceId } = owner;
  const used = sql.one(
    UsedBytes,
    q`SELECT coalesce(sum(size), 0) AS bytes, coalesce(sum(size * anonymous), 0) AS anonymous FROM attachments
      WHERE workspace_id = ${workspaceId}`,
  );
  if (!used || used.bytes + more > quotaBytes) throw new Failure("storage_full");
  if (isAnonymous(sql, owner) && used.anonymous + more > quotaBytes * ANONYMOUS_SHARE) {
    throw new Failure("storage_full");
  }
}

function isAnonymous(sql: Sql, { customerId }: Owner): boolean {
  const row = sql.one(ExternalId, q`SELECT external_id FROM customers WHERE id = ${customerId}`);
  return row !== undefined && isAnonymousId(row.external_id);
}

/** Attaches files to the message that is written at `seq`; `unsentAttachments` has checked them. */
export function sendAttachments(
  tx: Transaction,
  conversationId: string,
  ids: readonly string[],
  seq: number,
): void {
  for (const id of ids) {
    tx.sql.run(
      q`UPDATE attachments SET message_seq = ${seq} WHERE id = ${id} AND conversation_id = ${conversationId}`,
    );
  }
}

/**
 * The files of a message before it is written: each belongs to this conversation and was not sent before. @throws
 * Failure `file_gone`
 */
export function unsentAttachments(
  tx: Transaction,
  conversationId: string,
  ids: readonly string[],
): Attachment[] {
  if (new Set(ids).size < ids.length) throw new Failure("file_gone");
  return ids.map((id) => {
    const found = findRow(tx.sql, conversationId, id);
    if (!found || found.message_seq !== null) throw new Failure("file_gone");
    return attachmentOf(found);
  });
}

/** Ids of all files on the shelf for these conversations. */
export function attachmentIdsOf(sql: Sql, conversationIds: readonly string[]): string[] {
  return conversationIds.flatMap((id) =>
    sql
      .all(AttachmentId, q`SELECT id FROM attachments WHERE conversation_id = ${id}`)
      .map((found) => found.id),
  );
}

function findRow(sql: Sql, conversationId: string, id: string): AttachmentRow | undefined {
  return sql.one(
    AttachmentRow,
    q`SELECT id, name, type, size, message_seq FROM attachments
      WHERE id = ${id} AND conversation_id = ${conversationId}`,
  );
}

/** @throws Failure `not_found` */
function attachmentOf(found: AttachmentRow | undefined): Attachment {
  if (!found) throw new Failure("not_found");
  const { id, name, type, size } = found;
  return { id, name, type, size };
}
