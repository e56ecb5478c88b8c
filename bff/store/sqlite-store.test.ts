import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFeeds } from "../less/feeds.ts";
import { epochOf } from "../sessions/pointer.ts";
import { createPointers } from "../sessions/pointers.ts";
import { createSessions } from "../sessions/sessions.ts";
import { hashToken, newToken, seal, sealingKey } from "../sessions/token.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createSqliteStore, overwriteDeleted } from "./sqlite-store.ts";
import { createUsedTokens } from "./used-tokens.ts";

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
  it("has what was written after a restart", async () => {
    const path = newPath();
    const first = createSqliteStore(path);
    await first.write([put("a", "1")]);
    await first.close();
    expect(await createSqliteStore(path).get("a")).toBe("1");
  });

  it("loses what has expired, in memory at once and in the file within an hour", async () => {
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

  it("is rewritten without the bytes of deleted values", async () => {
    const path = newPath();
    const store = createSqliteStore(path);
    await store.write([put("a", "canary"), put("b", "other")]);
    await store.write([{ key: "a", value: null }]);
    expect(overwriteDeleted(path)).toBe(true);
    const bytes = readFileSync(path, "latin1") + readFileSync(`${path}-wal`, "latin1");
    expect(bytes).not.toContain("canary");
    expect(bytes).toContain("other");
  });

  it("gives no answer from a closed file", async () => {
    const store = createSqliteStore(newPath());
    await store.close();
    await expect(store.get("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.write([put("a", "1")])).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([99, 3])("of version %i is refused with one sentence", (version) => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    expect(() => createSqliteStore(path)).toThrow(/was written by another version/);
  });

  it("that is no database is refused with one sentence, and left as it is", () => {
    const path = newPath();
    writeFileSync(path, "this is a letter, not a database, and it is long enough to tell");
    expect(() => createSqliteStore(path)).toThrow(/can't be opened. Check DATA_DIR/);
    expect(readFileSync(path, "utf8")).toMatch(/^this is a letter/);
    expect(() => createSqliteStore("/nowhere/bff.sqlite")).toThrow(/can't be opened. Check DATA_DIR/);
  });
});

/** The tables of version 4, which had one for each kind of state. */
const TABLES_OF_VERSION_4 = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, external_id TEXT NOT NULL, facts TEXT NOT NULL, sealed_token BLOB NOT NULL,
    token_expires_at INTEGER, created_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_customer ON sessions (external_id);
  CREATE TABLE pointers (external_id TEXT PRIMARY KEY, conversation_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('open', 'ended')), epoch TEXT, started INTEGER NOT NULL,
    handoffs INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
  CREATE TABLE used_tokens (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX used_tokens_by_end ON used_tokens (until);
  ALTER TABLE pointers ADD COLUMN owner TEXT;
  ALTER TABLE pointers ADD COLUMN aside TEXT;
  ALTER TABLE pointers ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pointers ADD COLUMN route TEXT;
  ALTER TABLE pointers ADD COLUMN started_for TEXT;
  CREATE TABLE IF NOT EXISTS feed_events (external_id TEXT NOT NULL, conversation_id TEXT NOT NULL, seq INTEGER NOT NULL,
    written_at INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (external_id, conversation_id, seq)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 4;
`;

describe("a data folder of the previous version", () => {
  it("keeps its sessions, pointers, used tokens and logs", async () => {
    const path = newPath();
    const clock = createTestClock();
    const random = (bytes: number) => new Uint8Array(bytes).fill(7);
    const bearer = newToken(random);
    const facts = {
      customer: { externalId: "anon_1", identified: false },
      route: { channel: "web", agentProvider: "knowledge" },
      capabilities: ["turns"],
    };
    const pointer = {
      conversationId: "c1",
      status: "open",
      epoch: "e",
      started: 2,
      handoffs: 1,
      owner: "anon_0",
      aside: [{ conversationId: "c0", handoffs: 0 }],
      route: facts.route,
      startedFor: [["k", "c1"]],
    };
    const events = [
      { type: "conversation.started", seq: 1, at: "2026-11-21T12:00:00.000Z" },
      { type: "handoff.suggested", seq: 2, at: "2026-11-21T12:00:00.000Z", reason: "asked" },
    ];
    const db = new DatabaseSync(path);
    db.exec(TABLES_OF_VERSION_4);
    const now = clock.now();
    const sealed = seal(sealingKey(bearer), "service-token", random);
    db.prepare("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      hashToken(bearer),
      "anon_1",
      JSON.stringify(facts),
      sealed,
      null,
      now,
      now,
    );
    db.prepare("INSERT INTO pointers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      "ann",
      "c1",
      "open",
      "e",
      2,
      1,
      "anon_0",
      JSON.stringify(pointer.aside),
      now,
      JSON.stringify(facts.route),
      '[["k","c1"]]',
    );
    db.prepare(
      "INSERT INTO pointers VALUES ('ben', NULL, 'ended', NULL, 3, 0, NULL, NULL, 0, NULL, NULL)",
    ).run();
    db.prepare("INSERT INTO used_tokens VALUES ('jti', ?)").run(now + 1000);
    for (const event of events.toReversed())
      db.prepare("INSERT INTO feed_events VALUES ('ann', 'c1', ?, ?, ?)").run(
        event.seq,
        now,
        JSON.stringify(event),
      );
    db.close();

    const store = createSqliteStore(path, { clock });
    const sessions = createSessions({ store, clock, random, onUpkeepFailure: () => undefined });
    expect(await sessions.find(`Bearer ${bearer}`)).toMatchObject({
      ...facts,
      serviceToken: { token: "service-token", expiresAt: undefined },
    });
    const pointers = createPointers(store, clock);
    expect(await pointers.read("ann")).toEqual({
      status: "none",
      started: 2,
      visitors: ["anon_0"],
      aside: [{ conversationId: "c0", epoch: epochOf("c0", undefined), handoffs: 0 }],
      startedFor: [["k", "c1"]],
    });
    expect(await pointers.read("ben")).toEqual({ status: "none", started: 3 });
    expect(await createUsedTokens(store, clock).useOnce("jti", now + 1000)).toBe(false);
    expect(await createFeeds({ store, clock }).read({ externalId: "ann", conversationId: "c1" }, 0)).toEqual(
      events,
    );
    await store.close();
    expect(() => createSqliteStore(path)).not.toThrow();
  });
});
