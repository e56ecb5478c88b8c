import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { newDatabasePath } from "../../testing/test-store.ts";
import { openDatabase } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";

const step = (version: number, sql: string) => ({ version, name: `step ${version}`, sql });

function tablesOf(path: string): string[] {
  const database = new DatabaseSync(path);
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  database.close();
  return rows.map((row) => String(row["name"]));
}

describe("migrations", () => {
  test("run once, and opening again changes nothing", () => {
    const path = newDatabasePath();
    openDatabase(path, 0).close();
    const tables = tablesOf(path);
    expect(tables).toContain("events");
    openDatabase(path, 0).close();
    expect(tablesOf(path)).toEqual(tables);
  });

  test("add what an older database lacks and keep its rows", () => {
    const path = newDatabasePath();
    const first = step(1, "CREATE TABLE one (x INTEGER) STRICT; INSERT INTO one VALUES (7)");
    openDatabase(path, 0, [first]).close();
    const database = openDatabase(path, 0, [first, step(2, "ALTER TABLE one ADD COLUMN y INTEGER")]);
    expect(database.prepare("SELECT x, y FROM one").get()).toEqual({ x: 7, y: null });
    database.close();
  });

  test("DESK11 an older database learns what was read, and since when a customer waits for an answer", () => {
    const path = newDatabasePath();
    const before = openDatabase(path, 0, MIGRATIONS.slice(0, 16));
    const event = (seq: number, role: string) =>
      `('c', ${seq}, 'message.created', '{"message":{"role":"${role}"}}', ${seq * 100})`;
    before.exec(`
      INSERT INTO workspaces (id, name, public_key, created_at) VALUES ('w', 'one', 'pk', 0);
      INSERT INTO customers (id, workspace_id, external_id, created_at, updated_at) VALUES ('u', 'w', 'ann', 0, 0);
      INSERT INTO conversations (id, workspace_id, customer_id, status, route_json, last_seq, started_at, last_at,
        handoff_status, taken_by, taken_by_name, read_by_human)
      VALUES ('c', 'w', 'u', 'open', '{}', 5, 0, 500, 'accepted', 'maria', 'Maria', 3),
        ('d', 'w', 'u', 'open', '{}', 3, 0, 300, 'requested', NULL, NULL, 0);
      INSERT INTO events (conversation_id, seq, type, data_json, at) VALUES
        ${event(1, "customer")}, ${event(2, "human")}, ${event(3, "customer")}, ${event(4, "customer")}, ${event(5, "system")},
        ('d', 1, 'message.created', '{"message":{"role":"customer"}}', 100),
        ('d', 2, 'message.created', '{"message":{"role":"agent"}}', 200),
        ('d', 3, 'handoff.requested', '{}', 300)`);
    before.close();
    const database = openDatabase(path, 0);
    const rows = database
      .prepare("SELECT customer_seq, unanswered_since, desk_order FROM conversations ORDER BY id")
      .all();
    expect(rows).toEqual([
      { customer_seq: 4, unanswered_since: 300, desk_order: 300 },
      { customer_seq: 1, unanswered_since: 300, desk_order: 300 },
    ]);
    const read = database.prepare("SELECT conversation_id, user_id, seq FROM desk_reads").all();
    expect(read).toEqual([{ conversation_id: "c", user_id: "maria", seq: 3 }]);
    database.close();
  });

  test("HAND5 an older database learns when a person first replied to a hand-off that somebody waited for", () => {
    const path = newDatabasePath();
    const before = openDatabase(path, 0, MIGRATIONS.slice(0, 19));
    const event = (id: string, seq: number, role: string) =>
      `('${id}', ${seq}, 'message.created', '{"message":{"role":"${role}"}}', ${seq * 100})`;
    const columns =
      "id, workspace_id, conversation_id, adapter, status, requested_at, accepted_at, closed_at";
    before.exec(`
      INSERT INTO workspaces (id, name, public_key, created_at) VALUES ('w', 'one', 'pk', 0);
      INSERT INTO customers (id, workspace_id, external_id, created_at, updated_at) VALUES ('u', 'w', 'ann', 0, 0);
      INSERT INTO conversations (id, workspace_id, customer_id, status, route_json, last_seq, started_at, last_at)
      VALUES ('c', 'w', 'u', 'open', '{}', 9, 0, 900), ('d', 'w', 'u', 'open', '{}', 2, 0, 200);
      INSERT INTO events (conversation_id, seq, type, data_json, at) VALUES
        ${event("c", 1, "human")}, ${event("c", 3, "agent")}, ${event("c", 4, "human")}, ${event("c", 5, "human")},
        ${event("c", 8, "human")}, ${event("d", 2, "human")};
      INSERT INTO handoffs (${columns}) VALUES
        ('replied', 'w', 'c', 'desk', 'returned', 200, 300, 500), ('silent', 'w', 'c', 'desk', 'returned', 600, 650, 700),
        ('unasked', 'w', 'd', 'desk', 'accepted', 100, 100, NULL)`);
    before.close();
    const database = openDatabase(path, 0);
    const rows = database.prepare("SELECT id, replied_at AS at FROM handoffs ORDER BY id").all();
    expect(rows).toEqual([
      { id: "replied", at: 400 },
      { id: "silent", at: null },
      { id: "unasked", at: null },
    ]);
    database.close();
  });

  test("a step that fails in the middle leaves the database as it was", () => {
    const path = newDatabasePath();
    const first = step(1, "CREATE TABLE one (x INTEGER) STRICT");
    openDatabase(path, 0, [first]).close();
    const steps = [
      first,
      step(2, "CREATE TABLE two (x INTEGER) STRICT"),
      step(3, "CREATE TABLE three (; oops"),
    ];
    expect(() => openDatabase(path, 0, steps)).toThrow(
      "Step 3 of the schema (step 3) failed; nothing was changed.",
    );
    expect(tablesOf(path)).toEqual(["one", "schema_migrations"]);
    openDatabase(path, 0, [first, step(2, "CREATE TABLE two (x INTEGER) STRICT")]).close();
    expect(tablesOf(path)).toContain("two");
  });

  test("a database of a newer program is refused with a sentence", () => {
    const path = newDatabasePath();
    openDatabase(path, 0, [...MIGRATIONS, step(99, "CREATE TABLE future (x INTEGER) STRICT")]).close();
    expect(() => openDatabase(path, 0)).toThrow("The database has schema 99, this program knows");
  });

  test("a file that is not a database is refused with a sentence", async () => {
    const path = newDatabasePath();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(path, "x".repeat(10_000));
    expect(() => openDatabase(path, 0)).toThrow(
      /^The database .* can't be opened: file is not a database\.$/,
    );
  });

  test("commits reach the disk before they are reported, and deleted content is gone from the file", () => {
    const database = openDatabase(newDatabasePath(), 0);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("foreign_keys")).toBe(1);
    expect(pragma("secure_delete")).toBe(1);
    expect(pragma("busy_timeout")).toBe(2000);
    database.close();
  });
});
