import { DatabaseSync } from "node:sqlite";

/**
 * Rewrites the file, so no byte of deleted values is left in it or in its write-ahead log.
 * @returns false when another process still reads older pages
 * @throws Error of SQLite: locked, no room
 */
export function overwriteDeleted(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec("VACUUM");
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 1;
  } finally {
    db.close();
  }
}
