import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { checkDatabase, type DatabaseReport } from "./check-database.ts";
import { copyFiles, filesOf, hasDatabase, syncToDisk } from "./database-files.ts";
import { StoreError } from "./migrate.ts";
import { reasonOf } from "./storage-failure.ts";

/** All pages in one step: a copy in several steps would start over whenever the service writes in between. */
const ALL_PAGES = 0x7fff_ffff;
const BUSY_TIMEOUT_MS = 5000;
/** Only the owner may read what customers wrote; the same holds for a copy. */
const OWNER_ONLY = 0o600;

/**
 * Copies a database and the files next to it as they are at one moment, while a service may be writing to it, and
 * checks the copy before it gets its name. So a file with this name is always a backup that can be restored.
 *
 * @throws StoreError with one sentence: no database, the file exists already, no space, a faulty log
 */
export async function backUpDatabase(from: string, to: string): Promise<DatabaseReport> {
  if (!hasDatabase(from)) throw new StoreError(`There is no database ${from}: it is missing or empty.`);
  if (existsSync(to)) throw new StoreError(`${to} is there already: name another file, or remove it.`);
  const partial = `${to}.partial`;
  removeDatabase(partial);
  try {
    await copyDatabase(from, partial);
    dropErased(partial, from, copyFiles(partial, filesOf(from), filesOf(partial)));
    const report = checkDatabase(partial);
    if (report.faults.length > 0) {
      throw new StoreError(["The backup was not made: the database is faulty.", ...report.faults].join("\n"));
    }
    chmodSync(partial, OWNER_ONLY);
    // Without a backup of this name, its folder is a leftover of an earlier attempt.
    rmSync(filesOf(to), { recursive: true, force: true });
    if (existsSync(filesOf(partial))) renameSync(filesOf(partial), filesOf(to));
    moveDurably(partial, to);
    return report;
  } catch (cause) {
    removeDatabase(partial);
    if (cause instanceof StoreError) throw cause;
    throw new StoreError(`The backup ${to} can't be made: ${reasonOf(cause, from)}.`, { cause });
  }
}

/** A file that was erased after the rows were copied needs no copy. Another missing one is a fault, and stays. */
function dropErased(copy: string, from: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  const database = new DatabaseSync(copy, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare("ATTACH ? AS source").run(from);
    database
      .prepare(
        `DELETE FROM attachments WHERE id IN (SELECT value FROM json_each(?))
           AND id NOT IN (SELECT id FROM source.attachments)`,
      )
      .run(JSON.stringify(missing));
  } finally {
    database.close();
  }
}

/** Makes one consistent copy of a database in a single file, without a log next to it. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    // The service enables the write-ahead log again when it opens it; a copy must be one file.
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

/** Gives a file its name only after its content is on disk; the name itself is on disk when this returns. */
export function moveDurably(from: string, to: string): void {
  syncToDisk(from);
  renameSync(from, to);
  syncToDisk(dirname(to));
}

/** Removes a database and the files next to it that belong to SQLite and the shelf. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
  rmSync(filesOf(path), { recursive: true, force: true });
}
