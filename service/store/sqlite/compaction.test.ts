import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemRandom } from "../../../shared/server/random.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { COMPACT_MS, createCompaction } from "./compaction.ts";
import { openDatabase } from "./database.ts";
import { q } from "./query.ts";
import { createSql } from "./sql.ts";
import { createTransaction } from "./write-queue.ts";

function open(path = newDatabasePath()) {
  const clock = createManualClock();
  const database = openDatabase(path, clock.now());
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  const sql = createSql(database);
  let rewritings = 0;
  const exec = database.exec.bind(database);
  database.exec = (text) => {
    if (text === "VACUUM") rewritings += 1;
    exec(text);
  };
  const compaction = createCompaction({ database, sql, clock, reserve: undefined });
  const erase = () => {
    compaction.note(createTransaction({ sql, random: systemRandom }, clock.now(), () => undefined));
    return compaction.soon();
  };
  return { path, clock, database, sql, compaction, erase, rewritings: () => rewritings };
}

describe("STORE6 customers' erasures", () => {
  test("share one rewriting of the file in ten minutes, and the last one is never forgotten", () => {
    const { clock, erase, rewritings } = open();
    expect(erase()).toBe(true);
    expect([erase(), erase(), erase()]).toEqual([false, false, false]);
    expect(rewritings()).toBe(1);
    clock.advance(COMPACT_MS);
    expect(rewritings()).toBe(2);
    clock.advance(10 * COMPACT_MS);
    expect(rewritings()).toBe(2);
    expect(erase()).toBe(true);
  });

  test("rewrite the file at once after the clock is set back by hours", () => {
    const { clock, erase, rewritings } = open();
    expect([erase(), erase()], "control").toEqual([true, false]);
    clock.advance(-12 * COMPACT_MS);
    expect(erase()).toBe(true);
    expect(rewritings()).toBe(2);
  });

  test("an erasure by command rewrites the file at once", () => {
    const { compaction, erase, rewritings } = open();
    erase();
    expect(erase()).toBe(false);
    expect(compaction.now()).toBe(true);
    expect(rewritings()).toBe(2);
  });

  test("a compaction that is due runs when the store closes", () => {
    const { compaction, erase, rewritings } = open();
    erase();
    erase();
    compaction.close();
    expect(rewritings()).toBe(2);
  });

  test("after a kill the next process runs the compaction that is due", () => {
    const first = open();
    first.sql.run(q`INSERT INTO meta (key, value) VALUES ('word', 'a lonely sparrow')`);
    first.erase();
    first.erase();
    // As after a kill: neither the timer nor the closing runs.
    first.database.close();
    const second = open(first.path);
    second.clock.advance(0);
    expect(second.rewritings()).toBe(1);
    second.database.close();
    expect(
      new DatabaseSync(first.path).prepare("SELECT 1 FROM meta WHERE key = 'compaction_due'").get(),
    ).toBe(undefined);
    expect(readFileSync(first.path, "latin1")).toContain("a lonely sparrow");
  });
});
