import { DatabaseSync } from "node:sqlite";
import { migrate, StoreError } from "./migrate.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";

/** How long a statement waits for another process's lock (the command line beside a running service). */
const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens (or makes) the database at `path` and brings it to the newest schema.
 *
 * @throws StoreError with one sentence: newer schema, damaged file, no permission
 */
export function openDatabase(
  path: string,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    // FULL: the commit is on disk before it is reported, also through a power cut; NORMAL loses it (requirements 4.3).
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    migrate(database, migrations, now);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new StoreError(`The database ${path} can't be opened: ${reason}.`, { cause });
  }
}
