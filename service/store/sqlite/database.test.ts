import { readdirSync, readlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { newDatabasePath } from "../../testing/test-store.ts";
import { compactDatabase, openDatabase } from "./database.ts";

/** The files that SQLite opened for itself, which it deletes at once. */
function temporaryFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes("etilqs_") ? [fd] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** Changes many pages after a savepoint, and returns how many temporary files hold their previous text. */
function changeManyPages(database: DatabaseSync): number {
  const fill = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500)";
  database.exec(`CREATE TABLE IF NOT EXISTS words (text TEXT) STRICT;
    ${fill} INSERT INTO words SELECT hex(zeroblob(1000)) FROM n`);
  const before = temporaryFiles().length;
  database.exec("BEGIN; SAVEPOINT one; UPDATE words SET text = text || 'x'");
  const during = temporaryFiles().length;
  database.exec("ROLLBACK");
  return during - before;
}

test.skipIf(process.platform !== "linux")(
  "the database writes no text of customers outside the data folder, also after a compaction",
  () => {
    const database = openDatabase(newDatabasePath(), 0);
    onTestFinished(() => database.close());
    expect(changeManyPages(database)).toBe(0);
    compactDatabase(database);
    expect(changeManyPages(database)).toBe(0);

    const control = new DatabaseSync(newDatabasePath());
    onTestFinished(() => control.close());
    control.exec("PRAGMA journal_mode = WAL");
    expect(changeManyPages(control), "control: SQLite's own setting").toBe(1);
  },
);
