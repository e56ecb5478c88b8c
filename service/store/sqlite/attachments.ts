import { createHash } from "node:crypto";
import type { Attachment, AttachmentType } from "../../../shared/attachment.ts";
import { Failure } from "../../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../../../shared/limits.ts";
import { BrokenFile } from "../../files/byte-reader.ts";
import { cleanName } from "../../files/clean-name.ts";
import type { Shelf } from "../../files/shelf.ts";
import { stripFile } from "../../files/strip-file.ts";
import { createId } from "../../ids.ts";
import type { AttachmentStore, KeptFile, NewFile } from "../attachments.ts";
import type { DeskTarget } from "../desk.ts";
import type { Owner } from "../owner.ts";
import { type ComingFiles, createComingFiles } from "./coming-files.ts";
import { ownedRow } from "./conversation-row.ts";
import { findAnswer, forgetAnswer, keepAnswer } from "./idempotency.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

/** Files and bytes of one conversation: what a person could want to show, and no store of somebody's own. */
export const MAX_CONVERSATION_FILES = 50;
const MAX_CONVERSATION_BYTES = 100 * 1024 * 1024;
/** What was uploaded and never sent is kept for so long. */
export const UNSENT_MS = 24 * 60 * 60 * 1000;
/** A file without a row is younger than this while its upload still runs. */
const UPLOADING_MS = 60 * 60 * 1000;

interface AttachmentRow {
  readonly id: string;
  readonly name: string;
  readonly type: AttachmentType;
  readonly size: number;
  readonly message_seq: number | null;
}

export interface AttachmentDeps extends StoreCore {
  readonly shelf: Shelf;
  /** Most bytes of all files of one workspace. */
  readonly quotaBytes: number;
}

/** Files of conversations: their bytes on the shelf, everything else in SQLite. */
export function createAttachmentStore(deps: AttachmentDeps): AttachmentStore {
  const { sql, shelf, write, clock } = deps;
  const coming = createComingFiles();
  const open = async (row: AttachmentRow | undefined) => {
    if (!row) throw new Failure("not_found");
    return { attachment: attachmentOf(row), ...(await shelf.open(row.id)) };
  };
  return {
    add: (owner, conversationId, file) => add(deps, coming, owner, conversationId, file),
    async open(owner, conversationId, id) {
      ownedRow(sql, owner, conversationId);
      return open(findRow(sql, conversationId, id));
    },
    async openForDesk(target, id) {
      // What was never sent is not said yet, and so nobody at the desk sees it.
      const row = isOfWorkspace(sql, target) ? findRow(sql, target.conversationId, id) : undefined;
      return open(row?.message_seq === null ? undefined : row);
    },
    async sweep() {
      const unsent = await write((tx) => {
        const rows = tx.sql.all<{ id: string }>(
          "SELECT id FROM attachments WHERE message_seq IS NULL AND created_at < ?",
          tx.now - UNSENT_MS,
        );
        for (const { id } of rows) tx.sql.run("DELETE FROM attachments WHERE id = ?", id);
        return rows.map(({ id }) => id);
      });
      const known = (id: string) => sql.one("SELECT 1 FROM attachments WHERE id = ?", id) !== undefined;
      const strays = (await shelf.idsBefore(clock.now() - UPLOADING_MS)).filter((id) => !known(id));
      const gone = [...new Set([...unsent, ...strays])];
      await shelf.remove(gone);
      return gone.length;
    },
  };
}

/**
 * Keeps one file: first its bytes, then its row. Between the two it is nobody's, and a sweep removes it.
 * What is refused is read to its end all the same, so that whoever sends it hears the answer.
 */
async function add(
  deps: AttachmentDeps,
  coming: ComingFiles,
  owner: Owner,
  conversationId: string,
  file: NewFile,
): Promise<KeptFile> {
  const { sql, shelf, clock, random } = deps;
  requireOpen(sql, owner, conversationId);
  const id = createId("att", clock.now(), random);
  const place = coming.begin(owner.workspaceId, conversationId, (bytes) =>
    requireBytes(sql, deps.quotaBytes, owner, bytes),
  );
  const received = measure(file.bytes, (count) => place.add(count));
  try {
    const { type, bytes } = await stripFile(received.bytes);
    const kept = await shelf.keep(id, type, bytes);
    const attachment: Attachment = { id, name: cleanName(file.name, type), type, size: kept.size };
    const answer: KeptFile = { attachment: { ...attachment, conversationId }, received: received.result() };
    const result = await record(deps, owner, file, answer, kept.sha256);
    if (result !== answer) await shelf.remove([id]);
    return result;
  } catch (error) {
    await shelf.remove([id]).catch(() => undefined);
    if (error instanceof Failure && error.code === "file_too_large") throw error;
    await received.drain().catch(() => undefined);
    throw error instanceof BrokenFile ? new Failure("file_not_allowed", { cause: error }) : error;
  } finally {
    place.end();
  }
}

/** Writes the row of a file that lies on the shelf; or gives the first answer to its key, where that file is still there. */
function record(
  { write, quotaBytes }: AttachmentDeps,
  owner: Owner,
  file: NewFile,
  answer: KeptFile,
  sha256: string,
): Promise<KeptFile> {
  const { conversationId, ...attachment } = answer.attachment;
  const scope = { customerId: owner.customerId, operation: `attachments ${conversationId}` };
  const given = file.idempotencyKey && {
    key: file.idempotencyKey,
    bodyHash: createHash("sha256").update(`${file.name}\n${answer.received.sha256}`).digest("hex"),
  };
  return write((tx) => {
    requireOpen(tx.sql, owner, conversationId);
    const first = given ? findAnswer<KeptFile>(tx, scope, given) : undefined;
    if (first && findRow(tx.sql, conversationId, first.attachment.id)) return first;
    requireRoom(tx.sql, quotaBytes, owner, conversationId, attachment.size);
    insert(tx, owner, conversationId, attachment, sha256);
    if (given && first) forgetAnswer(tx, scope, given);
    if (given) keepAnswer(tx, scope, given, answer);
    return answer;
  });
}

function insert(
  tx: Transaction,
  owner: Owner,
  conversationId: string,
  { id, name, type, size }: Attachment,
  sha256: string,
): void {
  tx.sql.run(
    `INSERT INTO attachments (id, conversation_id, workspace_id, name, type, size, sha256, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    conversationId,
    owner.workspaceId,
    name,
    type,
    size,
    sha256,
    tx.now,
  );
}

/** @throws Failure `not_found`, `conversation_ended` */
function requireOpen(sql: Sql, owner: Owner, conversationId: string): void {
  if (ownedRow(sql, owner, conversationId).status === "ended") throw new Failure("conversation_ended");
}

/** @throws Failure `too_many_files`, `storage_full` */
function requireRoom(sql: Sql, quota: number, owner: Owner, conversationId: string, size: number): void {
  const own = sql.one<{ files: number; bytes: number }>(
    "SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM attachments WHERE conversation_id = ?",
    conversationId,
  );
  if ((own?.files ?? 0) >= MAX_CONVERSATION_FILES || (own?.bytes ?? 0) + size > MAX_CONVERSATION_BYTES) {
    throw new Failure("too_many_files");
  }
  requireBytes(sql, quota, owner, size);
}

/** @throws Failure `storage_full` where the workspace's files and so many bytes more are more than it may have */
function requireBytes(sql: Sql, quota: number, { workspaceId }: Owner, more: number): void {
  const all = sql.one<{ bytes: number }>(
    "SELECT coalesce(sum(size), 0) AS bytes FROM attachments WHERE workspace_id = ?",
    workspaceId,
  );
  if ((all?.bytes ?? 0) + more > quota) throw new Failure("storage_full");
}

/** Counts and hashes what passes, and lets no more than one file's worth of it pass, nor more than `onBytes` allows. */
function measure(source: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  const hash = createHash("sha256");
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      size += next.value.length;
      if (size > MAX_ATTACHMENT_BYTES) throw new Failure("file_too_large");
      onBytes(next.value.length);
      hash.update(next.value);
      yield next.value;
    }
  }
  return {
    bytes: counted(),
    result: () => ({ size, sha256: hash.copy().digest("hex") }),
    /** Reads what is left and forgets it; no further than one file may go. */
    async drain(): Promise<void> {
      while (size <= MAX_ATTACHMENT_BYTES) {
        const next = await chunks.next();
        if (next.done) return;
        size += next.value.length;
      }
    },
  };
}

/**
 * Puts files into a message that is being written at `seq`: each is of this conversation and was not sent before.
 *
 * @throws Failure `file_gone`
 */
export function sendAttachments(
  tx: Transaction,
  conversationId: string,
  ids: readonly string[],
  seq: number,
): void {
  for (const id of ids) {
    tx.sql.run(
      "UPDATE attachments SET message_seq = ? WHERE id = ? AND conversation_id = ?",
      seq,
      id,
      conversationId,
    );
  }
}

/** The files of a message that is to be written. @throws Failure `file_gone` */
export function unsentAttachments(
  tx: Transaction,
  conversationId: string,
  ids: readonly string[],
): Attachment[] {
  if (new Set(ids).size < ids.length) throw new Failure("file_gone");
  return ids.map((id) => {
    const row = findRow(tx.sql, conversationId, id);
    if (!row || row.message_seq !== null) throw new Failure("file_gone");
    return attachmentOf(row);
  });
}

/** Ids of everything that lies on the shelf for these conversations. */
export function attachmentIdsOf(sql: Sql, conversationIds: readonly string[]): string[] {
  return conversationIds.flatMap((id) =>
    sql.all<{ id: string }>("SELECT id FROM attachments WHERE conversation_id = ?", id).map((row) => row.id),
  );
}

function findRow(sql: Sql, conversationId: string, id: string): AttachmentRow | undefined {
  return sql.one<AttachmentRow>(
    "SELECT id, name, type, size, message_seq FROM attachments WHERE id = ? AND conversation_id = ?",
    id,
    conversationId,
  );
}

function isOfWorkspace(sql: Sql, { workspaceId, conversationId }: DeskTarget): boolean {
  const row = sql.one(
    "SELECT 1 FROM conversations WHERE id = ? AND workspace_id = ?",
    conversationId,
    workspaceId,
  );
  return row !== undefined;
}

function attachmentOf({ id, name, type, size }: AttachmentRow): Attachment {
  return { id, name, type, size };
}
