import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";

/** All pages in one step: a copy in several would begin anew whenever the BFF writes between them. */
const ALL_PAGES = 0x7fff_ffff;
const BUSY_TIMEOUT_MS = 5000;
const OWNER_ONLY = 0o600;

/** What went wrong, in one sentence for the operator. */
export class KeptError extends Error {}

/** A consistent copy in one file, as the database is at one moment. The copy is checked. @throws KeptError; Error of SQLite */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  withDatabase(to, (copy) => {
    copy.exec("PRAGMA journal_mode = DELETE");
    const said = Object.values(copy.prepare("PRAGMA integrity_check(1)").get() ?? {})[0];
    if (said !== "ok") throw new KeptError(`${from} is damaged.`);
    if (!copy.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sessions'").get())
      throw new KeptError(`${from} is no store of a BFF.`);
  });
  chmodSync(to, OWNER_ONLY);
}

/** Opens a database for `use` and closes it behind it. */
export function withDatabase<T>(path: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    return use(database);
  } finally {
    database.close();
  }
}

/** Gives a file its name only after its content is on disk; the name is on disk when this returns. */
export function moveDurably(from: string, to: string): void {
  sync(from);
  renameSync(from, to);
  sync(dirname(to));
}

/** Keeps a database under a second name, as one file; at each moment a whole one stands in its place. */
export function setAside(path: string): string {
  const kept = `${path}.replaced`;
  removeDatabase(kept);
  try {
    withDatabase(path, (database) => database.exec("PRAGMA journal_mode = DELETE"));
  } catch {
    // Too damaged to be opened: its log goes with it, so that it is never taken for the new database's.
    for (const end of ["-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  linkSync(path, kept);
  return kept;
}

/** Removes a database with what SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
}

function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
