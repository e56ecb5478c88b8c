import type { DatabaseSync } from "node:sqlite";

/** Runs `work` in one transaction, which holds the lock for writing from its start; nothing of it stays if it throws. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
