import { accessSync, constants, existsSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";

/**
 * Opens (or creates) the database at `path`, whose commits are on the disk when they are reported, and runs `prepare` on
 * it. Closes it again if that fails. @throws what SQLite, the file system and `prepare` throw
 */
export function openSqlite(
  path: string,
  options: DatabaseSyncOptions,
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  // SQLite also opens a file that it may only read.
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const database = new DatabaseSync(path, options);
  try {
    // FULL: the commit is on disk before it is reported, even in a power cut; NORMAL could lose it.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
