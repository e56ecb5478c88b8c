import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { systemRandom } from "../../../shared/server/random.ts";
import type { Published } from "../../live/hub.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { describeStore } from "../testing/store-suite.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** Every statement that the suites below prepare. */
const statements = new Set<string>();
const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
const note = () => {
  for (const [text] of prepare.mock.calls) statements.add(text);
};
afterEach(note);

function open(path = newDatabasePath()) {
  const published: Published[] = [];
  const clock = createManualClock();
  const store = openSqliteStore({
    path,
    clock,
    random: systemRandom,
    publish: (entry) => void published.push(entry),
  });
  onTestFinished(() => store.close());
  return { store, clock, published };
}

describeStore("SQLite", async () => open());

test("every statement finds its rows by an index, and no statement scans a table whose size customers decide", async () => {
  const path = newDatabasePath();
  const { store } = open(path);
  // Statements that no suite of a driver needs.
  for await (const _ of store.erasure.purgeAnonymous(0));
  await store.handoffs.expire(0, new Set());
  await store.attachments.sweep();
  note();
  const database = new DatabaseSync(path);
  const reads = (text: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((detail) => detail.startsWith("SCAN ") && !SMALL.test(detail));
  const all = [...statements].filter((text) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text));
  expect(all.length).toBeGreaterThan(80);
  expect(all.filter((text) => reads(text).length > 0)).toEqual([]);
  // The control: a search without an index.
  expect(reads("SELECT 1 FROM conversations WHERE preview = ?")).toEqual(["SCAN conversations"]);
  database.close();
});

/**
 * Tables whose size the operator decides, answers that are being written, and lists that a statement gets as a
 * parameter.
 */
const SMALL = /^SCAN (?:workspaces|pending_answers|\(subquery-|json_each)/;
