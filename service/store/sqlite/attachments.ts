import { type Attachment, AttachmentType } from "../../../shared/attachment.ts";
import { Failure } from "../../../shared/errors.ts";
import { type AttachmentRows, StoredFile } from "../attachments.ts";
import type { Idempotency } from "../idempotency.ts";
import type { Owner } from "../owner.ts";
import { integer, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { ownedRow } from "./conversation-row.ts";
import { findAnswer, forgetAnswer, storeAnswer } from "./idempotency.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

/** Files and bytes of one conversation: what a person could want to show, and not a store of their own. */
export const MAX_CONVERSATION_FILES = 50;
const MAX_CONVERSATION_BYTES = 100 * 1024 * 1024;

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

/** What is known of files, in SQLite. `quotaBytes` are for all files of one workspace. */
export function createAttachmentRows({ sql, write }: StoreCore, quotaBytes: number): AttachmentRows {
  return {
    async requireRoom(owner, conversationId, bytes) {
      requireOpen(sql, owner, conversationId);
      requireBytes(sql, quotaBytes, owner, bytes);
    },
    add: (owner, file, idempotency) => write((tx) => add(tx, quotaBytes, owner, file, idempotency)),
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
            q`DELETE FROM attachments WHERE message_seq IS NULL AND created_at < ${before} RETURNING id`,
          )
          .map(({ id }) => id),
      ),
    findStrays: async (ids) => ids.filter((id) => !sql.has(q`SELECT 1 FROM attachments WHERE id = ${id}`)),
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
  const first = idempotency && findAnswer(tx, scope, idempotency, StoredFile);
  if (first && findRow(tx.sql, conversationId, first.attachment.id)) return first;
  requireRoom(tx.sql, conversationId, size);
  requireBytes(tx.sql, quotaBytes, owner, size);
  tx.sql.run(q`INSERT INTO attachments (id, conversation_id, workspace_id, name, type, size, sha256, created_at)
     VALUES (${id}, ${conversationId}, ${owner.workspaceId}, ${name}, ${type}, ${size}, ${sha256}, ${tx.now})`);
  if (idempotency && first) forgetAnswer(tx, scope, idempotency);
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

/** @throws Failure `storage_full` when the workspace would have more bytes than it may */
function requireBytes(sql: Sql, quotaBytes: number, { workspaceId }: Owner, more: number): void {
  const used = sql.one(
    Used,
    q`SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM attachments
      WHERE workspace_id = ${workspaceId}`,
  );
  if ((used?.bytes ?? 0) + more > quotaBytes) throw new Failure("storage_full");
}

/** Puts files into the message that is written at `seq`; `unsentAttachments` has checked them. */
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

/** The files of a message before it is written: each of this conversation and not sent before. @throws Failure `file_gone` */
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

/** Ids of everything that lies on the shelf for these conversations. */
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
