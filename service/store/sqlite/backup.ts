import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { checkDatabase, type DatabaseReport } from "./check-database.ts";
import { copyFiles, filesOf, syncToDisk } from "./database-files.ts";
import { StoreError } from "./migrate.ts";

/** All pages in one step: a copy in several steps would start over whenever the service writes between them. */
const ALL_PAGES = 0x7fff_ffff;
const BUSY_TIMEOUT_MS = 5000;
/** Only the owner may read what customers wrote, in a copy too. */
const OWNER_ONLY = 0o600;

/**
 * Copies a database, with the files beside it, as it is at one moment, while a service may go on writing to it, and checks the copy before it gets
 * its name: a file of this name is a backup that can be put back.
 *
 * @throws StoreError with one sentence: no database, a file of this name is there, no room, a faulty log
 */
export async function backUpDatabase(from: string, to: string): Promise<DatabaseReport> {
  if (!existsSync(from)) throw new StoreError(`There is no database ${from}.`);
  if (existsSync(to)) throw new StoreError(`${to} is there already: name another file, or remove it.`);
  const partial = `${to}.partial`;
  removeDatabase(partial);
  try {
    await copyDatabase(from, partial);
    copyFiles(partial, filesOf(from), filesOf(partial));
    const report = checkDatabase(partial);
    if (report.faults.length > 0) {
      throw new StoreError(["The backup was not made: the database is faulty.", ...report.faults].join("\n"));
    }
    chmodSync(partial, OWNER_ONLY);
    // Without a backup of this name, its folder is left over from an attempt that failed.
    rmSync(filesOf(to), { recursive: true, force: true });
    if (existsSync(filesOf(partial))) renameSync(filesOf(partial), filesOf(to));
    moveDurably(partial, to);
    return report;
  } catch (cause) {
    removeDatabase(partial);
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new StoreError(`The backup ${to} can't be made: ${reason}.`, { cause });
  }
}

/** One consistent copy of a database in a single file, without a log beside it. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    // The service sets the write-ahead log again when it opens it; a copy must be one file.
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

/** Gives a file its name only after its content is on disk, and the name itself is on disk when this returns. */
export function moveDurably(from: string, to: string): void {
  syncToDisk(from);
  renameSync(from, to);
  syncToDisk(dirname(to));
}

/** Removes a database with the files that SQLite and the shelf have beside it. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
  rmSync(filesOf(path), { recursive: true, force: true });
}
