import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../../../shared/server/start-error.ts";
import { transact } from "../../../shared/server/transact.ts";
import type { Migration } from "./migrations.ts";

/** This program can't use the data folder; `message` is one sentence for the operator. */
export class StoreError extends StartError {
  override readonly name = "StoreError";
}

/**
 * Brings a database to the newest schema, with all missing steps in one transaction: after a failure or a kill in the
 * middle it is unchanged. It calls `requireUnused` before it changes an existing schema; what that throws prevents it.
 *
 * @throws StoreError when a newer program wrote the database, or when a step fails
 */
export function migrate(
  database: DatabaseSync,
  migrations: readonly Migration[],
  now: number,
  requireUnused?: () => void,
): void {
  transact(database, () => {
    database.exec(
      "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    );
    const present = readVersion(database);
    const newest = migrations.at(-1)?.version ?? 0;
    if (present > newest) {
      throw new StoreError(
        `The database has schema ${present}, this program knows ${newest}: start the newer program, or use another DATA_DIR.`,
      );
    }
    if (present > 0 && present < newest) requireUnused?.();
    const record = database.prepare("INSERT INTO schema_migrations (version, name, at) VALUES (?, ?, ?)");
    for (const step of migrations) {
      if (step.version <= present) continue;
      run(database, step);
      record.run(step.version, step.name, now);
    }
  });
}

function run(database: DatabaseSync, step: Migration): void {
  try {
    database.exec(step.sql);
  } catch (cause) {
    throw new StoreError(`Step ${step.version} of the schema (${step.name}) failed; nothing was changed.`, {
      cause,
    });
  }
}

function readVersion(database: DatabaseSync): number {
  const row = database.prepare("SELECT max(version) AS version FROM schema_migrations").get();
  return typeof row?.["version"] === "number" ? row["version"] : 0;
}
