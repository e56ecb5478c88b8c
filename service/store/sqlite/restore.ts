import { chmodSync, existsSync, linkSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../../shared/server/clock.ts";
import type { Random } from "../../../shared/server/random.ts";
import { createId } from "../../ids.ts";
import { copyDatabase, moveDurably, removeDatabase } from "./backup.ts";
import { checkDatabase, type DatabaseReport } from "./check-database.ts";
import { openDatabase } from "./database.ts";
import { copyFiles, filesOf, hasDatabase, linkFiles } from "./database-files.ts";
import { StoreError } from "./migrate.ts";

const OWNER_ONLY = 0o600;

/**
 * Replaces a database with a backup. The caller holds the lock of the data folder. The backup is checked, migrated and
 * copied with its files first; only then does it replace the old database, which stays as `….replaced`. The log gets a
 * new epoch, so that clients discard their positions in the old log and read everything again. What may have ended since
 * the backup does not begin again: open actions, sign-ins of the desk and its one-time links.
 *
 * @throws StoreError with one sentence; then the old database is still in its place, and perhaps named `….replaced` too
 */
export async function restoreDatabase(options: {
  readonly from: string;
  readonly to: string;
  /** Replace an existing database. */
  readonly force: boolean;
  readonly clock: Clock;
  readonly random: Random;
}): Promise<DatabaseReport & { readonly replaced: string | undefined }> {
  const { from, to, force, clock, random } = options;
  if (!existsSync(from)) throw new StoreError(`There is no file ${from}.`);
  const isThere = existsSync(to);
  if (isThere && !force) {
    throw new StoreError(
      `There is a database ${to}: add --force to replace it. It stays beside the new one.`,
    );
  }
  const fresh = `${to}.restoring`;
  removeDatabase(fresh);
  try {
    const report = checkDatabase(from);
    if (report.faults.length > 0) {
      throw new StoreError([`${from} is no sound backup; nothing was changed.`, ...report.faults].join("\n"));
    }
    await copyDatabase(from, fresh);
    beginAgain(fresh, clock.now(), createId("e", clock.now(), random));
    chmodSync(fresh, OWNER_ONLY);
    // Before the old database is set aside, because the disk may be full. Ids are never reused: files that belong to
    // neither database are swept up later.
    const [missing] = copyFiles(fresh, filesOf(from), filesOf(to));
    if (missing !== undefined) throw new Error(`its file ${missing} is no longer there`);
    const aside = freeNameBeside(to);
    if (isThere) setAside(to, aside);
    else moveLog(to, aside);
    moveDurably(fresh, to);
    return { ...report, replaced: isThere ? aside : undefined };
  } catch (cause) {
    removeDatabase(fresh);
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    const rest = isThere ? ` The database ${to} is still in its place.` : "";
    throw new StoreError(`${from} can't be put back: ${reason}.${rest}`, { cause });
  }
}

function beginAgain(path: string, now: number, epoch: string): void {
  const database = openDatabase(path, now);
  try {
    database
      .prepare(
        "INSERT INTO meta (key, value) VALUES ('epoch', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      )
      .run(epoch);
    // Somebody may have allowed it since the backup, and its tool has run. The next start reports it as unknown.
    database.exec("UPDATE actions SET state = 'running', leased_until = 0 WHERE state = 'requested'");
    // One that was signed out, used or withdrawn since the backup must not become valid again.
    database.exec("DELETE FROM desk_sessions; DELETE FROM desk_links");
    // One file: a log left next to it would be taken for another database's.
    database.exec("PRAGMA journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/**
 * Hard-links the old database to a second name before it is replaced, so at each moment a whole database is in place.
 */
function setAside(path: string, aside: string): void {
  // It may be too damaged to be opened.
  if (!hasDatabase(path) || !mergeLog(path)) moveLog(path, aside);
  linkSync(path, aside);
  linkFiles(filesOf(path), filesOf(aside));
}

/** What earlier restores set aside stays, also a write-ahead log without its database. */
function freeNameBeside(path: string): string {
  let aside = `${path}.replaced`;
  for (let count = 2; [aside, `${aside}-wal`].some((name) => existsSync(name)); count += 1)
    aside = `${path}.replaced-${count}`;
  return aside;
}

/** SQLite would apply the write-ahead log of another database to the new one. */
function moveLog(path: string, aside: string): void {
  for (const end of ["-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end);
}

/** Checkpoints the write-ahead log into the file itself; false if the database can't be opened. */
function mergeLog(path: string): boolean {
  try {
    const database = new DatabaseSync(path);
    try {
      database.exec("PRAGMA journal_mode = DELETE");
    } finally {
      database.close();
    }
    return true;
  } catch {
    return false;
  }
}
