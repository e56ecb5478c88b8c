import { DatabaseSync } from "node:sqlite";
import { Failure } from "../../../shared/errors.ts";
import { openSqlite } from "../../../shared/server/open-sqlite.ts";
import { StartError } from "../../../shared/server/start-error.ts";
import { hasDatabase } from "./database-files.ts";
import { migrate, StoreError } from "./migrate.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import { mayLackSpace, reasonOf, storageFailure } from "./storage-failure.ts";

/** How long a start waits for another process's lock (such as the command line next to a running service). */
const BUSY_TIMEOUT_MS = 2000;
/** While serving, the database never blocks the process for longer: the queue of writes waits for the lock itself. */
const SERVING_TIMEOUT_MS = 5;
/**
 * The pages in memory. SQLite's own 2 MB made an answered message read 23 pages from the file, with 100 customers at once.
 */
const CACHE_KB = 16 * 1024;
/**
 * Up to this size a database is rewritten with each erasure. Every request waits about 5 ms per MB of it, and on a full
 * disk the copy must fit into the reserve.
 */
const SMALL_BYTES = 15 * 1024 * 1024;
/** SQLite's result code for a damaged file. */
const SQLITE_CORRUPT = 11;

/**
 * Opens (or creates) the database at `path` and migrates it to the newest schema. What SQLite writes beside it, such as the
 * pages before a savepoint, stays in memory: in files it was more than half of all writes, outside the data folder.
 *
 * @param requireUnused see `migrate`
 * @throws StartError with one sentence: newer schema, damaged file, no permission, in use
 */
export function openDatabase(
  path: string,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
  requireUnused?: () => void,
): DatabaseSync {
  try {
    refuseDamaged(path);
    const options = { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true };
    return openSqlite(path, options, (database) => {
      database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KB}`);
      migrate(database, migrations, now, requireUnused);
    });
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StoreError(`The database ${path} can't be opened: ${reasonOf(cause, path)}.`, { cause });
  }
}

/**
 * From now on another process's lock is reported at once, because waiting for it would block every read.
 * The returned function restores the start's patience, for the last writes before the end.
 */
export function serveFrom(database: DatabaseSync): () => void {
  database.exec(`PRAGMA busy_timeout = ${SERVING_TIMEOUT_MS}`);
  return () => database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/**
 * Rewrites the whole file, and empties the write-ahead log. SQLite overwrites the rows that it deletes, but a row that
 * moved from page to page may have left copies between other rows: only a new file has none.
 * Writes wait meanwhile. False while another process reads the older pages.
 *
 * @throws Error of SQLite: no room for a second copy, locked by another process
 */
export function compactDatabase(database: DatabaseSync): boolean {
  // The copy may be too large for the memory.
  database.exec("PRAGMA temp_store = FILE");
  try {
    return rewrite(database);
  } finally {
    database.exec("PRAGMA temp_store = MEMORY");
  }
}

function rewrite(database: DatabaseSync): boolean {
  database.exec("VACUUM");
  return emptyLog(database);
}

/**
 * Does the same if the database is small. Only "done" means that no copy of a deleted row is left in the database or
 * its write-ahead log; "later" if it is large, or in use by another process. In all other cases nothing was changed.
 *
 * @throws Error of SQLite that is not about space or locks
 */
export function compactSmall(database: DatabaseSync): "done" | "later" | "no_room" {
  try {
    if (!emptyLog(database) || bytesInUse(database) > SMALL_BYTES) return "later";
    return compactInMemory(database) ? "done" : "later";
  } catch (error) {
    const failure = storageFailure(error);
    if (!(failure instanceof Failure)) throw error;
    return mayLackSpace(failure) ? "no_room" : "later";
  }
}

/** Keeps its working copy in memory: that is as small as the database, and needs no space on a full disk. */
function compactInMemory(database: DatabaseSync): boolean {
  try {
    return rewrite(database);
  } catch (error) {
    // The part that it had written is not part of the database, and only takes space.
    emptyLog(database);
    throw error;
  }
}

/**
 * Checkpoints the write-ahead log. True when nothing older is left in it; false while another process reads from it.
 */
export function emptyLog(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
}

function bytesInUse(database: DatabaseSync): number {
  const read = (pragma: string) => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}

/**
 * Checks the whole file before anything is written to it: a damaged one is refused as it is, because each further write
 * could damage more of it. This runs at the speed of the disk.
 */
function refuseDamaged(path: string): void {
  if (!hasDatabase(path)) return;
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const fault = findDamage(database);
    if (fault === undefined) return;
    throw new StoreError(
      `The database ${path} is damaged (${fault}). It was not changed. Put a backup in its place: npm run service -- restore FILE --force.`,
    );
  } finally {
    database.close();
  }
}

/** The fault in a database's structure, in SQLite's words, or undefined. */
export function findDamage(database: DatabaseSync, pragma = "quick_check"): string | undefined {
  try {
    const said = String(Object.values(database.prepare(`PRAGMA ${pragma}(1)`).get() ?? {})[0]);
    return said === "ok" ? undefined : said.replaceAll(/\s+/g, " ");
  } catch (error) {
    // The structure is so broken that the check itself can't read it.
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_CORRUPT)
      return error.message;
    throw error;
  }
}
