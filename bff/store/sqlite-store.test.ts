import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeReadOnly } from "../../service/testing/read-only-file.ts";
import { mountSmallDisk } from "../../service/testing/small-disk.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createSqliteStore } from "./sqlite-store.ts";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "bff.sqlite");
}

const put = (key: string, value: string, lifeMs = 60_000) => ({ key, value, lifeMs });

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("the embedded store's file", () => {
  it("still has what was written after a restart", async () => {
    const path = newPath();
    const first = createSqliteStore(path);
    await first.write([put("a", "1")]);
    await first.close();
    expect(await createSqliteStore(path).get("a")).toBe("1");
  });

  it.each(["", "-wal"])(
    "STORE9 that was moved away, bff.sqlite%s, takes no write until it is back",
    async (end) => {
      const path = newPath();
      await createSqliteStore(path).close();
      const store = createSqliteStore(path);
      onTestFinished(() => store.close());
      await store.write([put("a", "1")]);
      renameSync(path + end, `${path}.away`);
      await expect(store.write([put("a", "2")])).rejects.toMatchObject({ code: "unavailable" });
      expect(await store.get("a")).toBe("1");
      writeFileSync(path + end, "");
      await expect(store.write([put("a", "2")])).rejects.toMatchObject({ code: "unavailable" });
      renameSync(`${path}.away`, path + end);
      await store.write([put("a", "2")]);
      expect(await store.get("a")).toBe("2");
    },
  );

  it("deletes what has expired, in memory at once and in the file within an hour", async () => {
    const clock = createTestClock();
    const path = newPath();
    const store = createSqliteStore(path, { clock });
    await store.write([put("short", "canary", 1000), put("long", "1", 10 * 3_600_000)]);
    expect(await store.get("short")).toBe("canary");
    await clock.advance(1000);
    expect(await store.get("short")).toBeUndefined();
    expect(await allOf(store.keys(""))).toEqual(["long"]);
    await clock.skip(3_600_000);
    await store.close();
    expect(readFileSync(path, "latin1")).not.toContain("canary");
    expect(await createSqliteStore(path, { clock }).get("long")).toBe("1");
  });

  it("is read again within a second after another process changed it", async () => {
    const clock = createTestClock();
    const path = newPath();
    const store = createSqliteStore(path, { clock });
    const gaps: string[] = [];
    store.onGap(() => void gaps.push("gap"));
    await store.write([put("a", "1")]);
    const other = createSqliteStore(path, { clock });
    await other.write([{ key: "a", value: null }]);
    expect(await store.get("a"), "control: from memory").toBe("1");
    await clock.advance(1000);
    expect(await store.get("a")).toBeUndefined();
    expect(gaps).toEqual(["gap"]);
    await store.write([put("a", "2")]);
    await clock.advance(1000);
    expect(gaps, "its own writes are no gap").toEqual(["gap"]);
  });

  it("gives no answer from a closed file", async () => {
    const store = createSqliteStore(newPath());
    await store.close();
    await expect(store.get("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.write([put("a", "1")])).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([99, 4])("is refused with one sentence if its version is %i", (version) => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(() => createSqliteStore(path)).toThrow(/was written by another version/);
  });

  it("OPS9 that it may only read is refused with one sentence, and nothing is left beside it", async () => {
    const path = newPath();
    await createSqliteStore(path).close();
    makeReadOnly(path);
    expect(() => createSqliteStore(path)).toThrow(/bff.sqlite can't be opened: (EACCES|EROFS)/);
    expect(readdirSync(dirname(path))).toEqual(["bff.sqlite"]);
  });

  it("OPS9 on a full disk is refused with one sentence that says so", async () => {
    const disk = mountSmallDisk(1024 * 1024);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const path = join(disk.folder, "bff.sqlite");
    await createSqliteStore(path).close();
    disk.fill();
    expect(() => createSqliteStore(path)).toThrow(
      /bff\.sqlite can't be opened: its disk has no space left\.$/,
    );
  });

  it("that is not a database is refused with one sentence, and left unchanged", () => {
    const path = newPath();
    writeFileSync(path, "this is a letter, not a database, and it is long enough to tell");
    expect(() => createSqliteStore(path)).toThrow(/bff.sqlite can't be opened: file is not a database\.$/);
    expect(readFileSync(path, "utf8")).toMatch(/^this is a letter/);
    expect(() => createSqliteStore("/nowhere/bff.sqlite")).toThrow(
      "The session store /nowhere/bff.sqlite can't be opened: unable to open database file.",
    );
  });
});

it("the embedded store counts again after the machine's clock was set back by more than the window", async () => {
  const store = createSqliteStore(":memory:", { clock: createTestClock() });
  onTestFinished(() => store.close());
  const rule = { name: "back", max: 1, windowMs: 60_000 };
  const isRefused = async (at: number) => (await store.count(rule, "ann", at)).isRefused;
  expect([await isRefused(120_000), await isRefused(120_001), await isRefused(1)]).toEqual([
    false,
    true,
    false,
  ]);
});
