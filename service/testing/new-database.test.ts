import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../store/sqlite/database.ts";
import { MIGRATIONS } from "../store/sqlite/migrations.ts";
import { putDatabase } from "./new-database.ts";
import { openTestService } from "./test-service.ts";
import { newDatabasePath } from "./test-store.ts";

function schemaOf(path: string) {
  const database = openDatabase(path, 0);
  const all = (sql: string) => database.prepare(sql).all();
  const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const rows = tables.map(({ name }) => [name, all(`SELECT * FROM "${String(name)}"`)]);
  const schema = all("SELECT type, name, sql FROM sqlite_schema ORDER BY name");
  database.close();
  return { schema, rows };
}

test("a database for a test is what the steps of the schema make", () => {
  const [put, made] = [newDatabasePath(), newDatabasePath()];
  putDatabase(put);
  expect(schemaOf(put)).toEqual(schemaOf(made));
});

test("the steps of the schema do not run for each service of a test, and services share nothing", async () => {
  const first = await openTestService();
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");
  onTestFinished(() => exec.mockRestore());
  const stepsRun = () =>
    exec.mock.calls.filter(([sql]) => MIGRATIONS.some((step) => step.sql === sql)).length;
  const second = await openTestService();
  expect(stepsRun()).toBe(0);
  expect(second.store.epoch).not.toBe(first.store.epoch);
  openDatabase(newDatabasePath(), 0).close();
  expect(stepsRun(), "control: the real steps are seen").toBe(MIGRATIONS.length);
});
