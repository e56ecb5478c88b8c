import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../service/store/sqlite/database.ts";
import { MIGRATIONS } from "../../service/store/sqlite/migrations.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";

const MIGRATE = fileURLToPath(new URL("./migrate-kill-main.ts", import.meta.url));
/** `MIGRATION_KILLS` increases it. */
const ROUNDS = Number(process.env["MIGRATION_KILLS"] ?? 20);
/** Shifts the moments of the kills in each run of the test. */
const SHIFT = Date.now() % 101;

/** Migrates in a separate process and kills it once it has printed `lines` lines. */
async function migrateAndKill(path: string, lines: number, mode = ""): Promise<void> {
  const child = spawn(process.execPath, [MIGRATE, path, mode], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    if (printed.split("\n").length > lines) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
}

/** The newest completed step, and the rows that the long one wrote. */
function look(path: string): { version: number; rows: number; integrity: unknown } {
  const database = new DatabaseSync(path);
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  const isThere = one("SELECT count(*) FROM sqlite_schema WHERE name = 'copied'") === 1;
  const found = {
    version: Number(one("SELECT max(version) FROM schema_migrations")),
    rows: isThere ? Number(one("SELECT count(*) FROM copied")) : -1,
    integrity: one("PRAGMA integrity_check"),
  };
  database.close();
  return found;
}

const BEFORE = { version: MIGRATIONS.length, rows: -1, integrity: "ok" };
const AFTER = { version: MIGRATIONS.length + 2, rows: 100_000, integrity: "ok" };

describe("SIGKILL in the middle of a migration", () => {
  test(`STORE4 ${ROUNDS} times: the schema is either the old or the new one, complete, and the next start works`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = newDatabasePath();
      openDatabase(path, 0).close();
      // From its first rows to its end, and after it.
      await migrateAndKill(path, 1 + ((SHIFT + round * 5) % 101));
      const found = look(path);
      expect([BEFORE, AFTER]).toContainEqual(found);
      if (found.version === BEFORE.version) openDatabase(path, 0).close();
    }
  });

  test("a migration that commits step by step is detected (control)", async () => {
    const path = newDatabasePath();
    openDatabase(path, 0).close();
    await migrateAndKill(path, 1, "apart");
    expect([BEFORE, AFTER]).not.toContainEqual(look(path));
  });
});
