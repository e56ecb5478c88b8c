import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../shared/event.ts";
import { createSqliteSessionStore } from "../sessions/sqlite-session-store.ts";
import { createSqliteFeedStore } from "./sqlite-feed-store.ts";

const AT = "2026-11-21T12:00:00.000Z";
const started = (seq: number): LoggedEvent => ({ type: "conversation.started", seq, at: AT });
const message = (seq: number, clientMessageId: string): LoggedEvent => ({
  type: "message.created",
  seq,
  at: AT,
  message: { id: clientMessageId, seq, role: "customer", body: "Hello\u2028", at: AT, clientMessageId },
});
const log = { externalId: "anon_a", conversationId: "c1" };

describe("the store of logs", () => {
  it("LESS3 keeps what was appended, beside the sessions and across a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-feeds-"));
    const path = join(folder, "bff.sqlite");
    const sessions = createSqliteSessionStore(path);
    const store = createSqliteFeedStore(path, () => 1);
    await store.append(log, (first) => [started(first), message(first + 1, "k1")]);
    await sessions.probe();
    await store.close();
    const again = createSqliteFeedStore(path, () => 2);
    expect(await again.read(log, 0)).toEqual([started(1), message(2, "k1")]);
    expect(await again.read(log, 1)).toHaveLength(1);
    expect(await again.lastSeq(log)).toBe(2);
    expect(await again.find(log, "k1")).toEqual(message(2, "k1"));
    expect(await again.find(log, "k2")).toBeUndefined();
    await Promise.all([again.close(), sessions.close()]);
    rmSync(folder, { recursive: true });
  });

  it("a place is taken once: all of an append or none", async () => {
    const store = createSqliteFeedStore(":memory:", () => 1);
    await store.append(log, (first) => [started(first)]);
    await expect(
      store.append(log, (first) => [message(first, "k1"), message(1, "k2")]),
    ).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(await store.lastSeq(log)).toBe(1);
  });

  it("logs of two customers and of two conversations are apart", async () => {
    const store = createSqliteFeedStore(":memory:", () => 1);
    await store.append(log, (first) => [message(first, "k1")]);
    expect(await store.read({ ...log, externalId: "anon_b" }, 0)).toEqual([]);
    expect(await store.find({ ...log, conversationId: "c2" }, "k1")).toBeUndefined();
  });

  it("forgets a log by its last entry, an anonymous visitor's sooner", async () => {
    let now = 10;
    const store = createSqliteFeedStore(":memory:", () => now);
    const identified = { externalId: "customer-1", conversationId: "c1" };
    for (const name of [log, identified, { ...log, conversationId: "c2" }])
      await store.append(name, (first) => [started(first)]);
    now = 20;
    await store.append(log, (first) => [message(first, "k1")]);
    await store.purge({ anonymous: 15, identified: 5 });
    expect(await store.lastSeq(log)).toBe(2);
    expect(await store.lastSeq({ ...log, conversationId: "c2" })).toBe(0);
    expect(await store.lastSeq(identified)).toBe(1);
  });

  it("says in one sentence that it can't be opened", () => {
    expect(() => createSqliteFeedStore("/nowhere/bff.sqlite", () => 1)).toThrow(
      /can't be opened\. Check DATA_DIR/,
    );
  });
});
