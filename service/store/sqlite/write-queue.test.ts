import type { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../../../shared/errors.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import type { Published } from "../../live/hub.ts";
import { createHeldPause } from "../../testing/held-pause.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { reader, text } from "./columns.ts";
import { openDatabase } from "./database.ts";
import { q } from "./query.ts";
import { createSql, type Sql } from "./sql.ts";
import { createWriteQueue, type Pause, type WriteQueue } from "./write-queue.ts";

interface Bench {
  readonly queue: WriteQueue;
  readonly sql: Sql;
  readonly database: DatabaseSync;
  /** Statements that begin and end transactions, and what was published, in order. */
  readonly trace: string[];
  /** Makes the next statement of this text fail. */
  failOn(text: string): void;
}

function openBench(pause?: Pause): Bench {
  const database = openDatabase(newDatabasePath(), 0, []);
  onTestFinished(() => database.close());
  database.exec("CREATE TABLE kept (value TEXT NOT NULL UNIQUE) STRICT");
  const sql = createSql(database);
  const trace: string[] = [];
  const failing = new Set<string>();
  const traced: Sql = {
    ...sql,
    run(query) {
      const { text } = query;
      if (failing.delete(text)) throw new Failure("storage_full");
      if (/^(BEGIN|COMMIT|ROLLBACK)/.test(text)) trace.push(text);
      return sql.run(query);
    },
  };
  const publish = (entry: Published) => void trace.push(`published ${entry.conversationId}`);
  const queue = createWriteQueue({
    database,
    sql: traced,
    now: () => 0,
    random: systemRandom,
    publish,
    pause,
  });
  return { queue, sql, database, trace, failOn: (text) => void failing.add(text) };
}

function put(bench: Bench, value: string): Promise<string> {
  return bench.queue.write((tx) => {
    tx.sql.run(q`INSERT INTO kept (value) VALUES (${value})`);
    tx.publish({ workspaceId: "w", conversationId: value, event: { type: "typing.stopped", role: "agent" } });
    return value;
  });
}

const kept = (bench: Bench) =>
  bench.sql.all(reader({ value: text }), q`SELECT value FROM kept ORDER BY value`).map((row) => row.value);

describe("group commit", () => {
  test("queued writes share one commit", async () => {
    const bench = openBench();
    await Promise.all(["a", "b", "c"].map((value) => put(bench, value)));
    expect(bench.trace.filter((line) => line === "COMMIT")).toHaveLength(1);
    expect(kept(bench)).toEqual(["a", "b", "c"]);
  });

  test("writes that arrive one after another, each in its own turn of the event loop, share one commit", async () => {
    const bench = openBench();
    const writes: Promise<string>[] = [];
    for (const value of ["a", "b", "c"]) {
      writes.push(put(bench, value));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await Promise.all(writes);
    expect(bench.trace.filter((line) => line === "COMMIT")).toHaveLength(1);
  });

  test("a continuous stream of writes does not delay earlier writes until its end", async () => {
    const bench = openBench();
    const first = put(bench, "first");
    const later: Promise<string>[] = [];
    let isDone = false;
    void first.then(() => {
      isDone = true;
    });
    for (; !isDone; await new Promise<void>((resolve) => setImmediate(resolve))) {
      later.push(put(bench, `later ${later.length}`));
    }
    await Promise.all(later);
    expect(later.length).toBeLessThan(50);
  });

  test("MSG4 nothing is published and no promise resolves before the commit", async () => {
    const bench = openBench();
    const order: string[] = [];
    await Promise.all(
      [put(bench, "a"), put(bench, "b")].map((write) => write.then((value) => order.push(value))),
    );
    expect(bench.trace).toEqual(["BEGIN IMMEDIATE", "COMMIT", "published a", "published b"]);
    expect(order).toEqual(["a", "b"]);
  });

  test("a write that fails rolls back only itself and publishes nothing", async () => {
    const bench = openBench();
    const [first, second, third] = await Promise.allSettled([
      put(bench, "a"),
      put(bench, "a"),
      put(bench, "c"),
    ]);
    expect([first.status, second.status, third.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(kept(bench)).toEqual(["a", "c"]);
    expect(bench.trace.filter((line) => line.startsWith("published"))).toEqual([
      "published a",
      "published c",
    ]);
  });

  test("a commit that fails rejects every write of its group, and the next group works", async () => {
    const bench = openBench();
    bench.failOn("COMMIT");
    const lost = await Promise.allSettled([put(bench, "a"), put(bench, "b")]);
    for (const one of lost)
      expect(one).toMatchObject({ status: "rejected", reason: { code: "storage_full" } });
    expect(bench.trace).toEqual(["BEGIN IMMEDIATE", "ROLLBACK"]);
    expect(kept(bench)).toEqual([]);
    await put(bench, "c");
    expect(kept(bench)).toEqual(["c"]);
  });

  test("a full disk is storage_full, the group is rolled back, and reads work", async () => {
    const bench = openBench();
    await put(bench, "first");
    bench.database.exec("PRAGMA max_page_count = 4");
    const lost = await Promise.allSettled([put(bench, "small"), put(bench, "x".repeat(100_000))]);
    expect(lost[1]).toMatchObject({ status: "rejected", reason: { code: "storage_full" } });
    expect(kept(bench)).toEqual(lost[0]?.status === "fulfilled" ? ["first", "small"] : ["first"]);
    bench.database.exec("PRAGMA max_page_count = 100000");
    await put(bench, "after");
    expect(kept(bench)).toContain("after");
  });

  test("another process's lock is unavailable, and writes work again once it is released", async () => {
    const lockWait = createHeldPause();
    lockWait.letGo();
    const bench = openBench(lockWait.pause);
    const path = bench.sql.one(reader({ file: text }), q`SELECT file FROM pragma_database_list`)?.file ?? "";
    const other = openDatabase(path, 0, []);
    bench.database.exec("PRAGMA busy_timeout = 0");
    other.exec("BEGIN IMMEDIATE");
    await expect(put(bench, "a")).rejects.toMatchObject({ code: "unavailable" });
    expect(lockWait.asked).toBeGreaterThan(1900);
    other.exec("ROLLBACK");
    other.close();
    expect(await put(bench, "a")).toBe("a");
  });

  test("closing commits queued writes and accepts no more", async () => {
    const bench = openBench();
    const waiting = put(bench, "a");
    bench.queue.close();
    expect(await waiting).toBe("a");
    await expect(put(bench, "b")).rejects.toMatchObject({ code: "unavailable" });
  });
});
