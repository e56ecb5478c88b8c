import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock } from "../testing/test-clock.ts";
import { createPointers } from "./pointers.ts";
import type { SessionFacts, SessionStore } from "./session-store.ts";
import { createSessions } from "./sessions.ts";
import { createSqliteSessionStore } from "./sqlite-session-store.ts";
import { newToken, seal, sealingKey, unseal } from "./token.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-bff-"));
  path = join(directory, "bff.sqlite");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const FACTS: SessionFacts = {
  customer: { externalId: "anon_1", identified: false },
  route: { channel: "web", agentProvider: "knowledge" },
  capabilities: ["turns"],
};
const SERVICE = { token: "canary-service-token", expiresAt: 99 };
const open = (store: SessionStore, clock = createTestClock()) =>
  createSessions({ store, clock, random: randomBytes, onUpkeepFailure: () => undefined });

describe("SES1 bearer tokens", () => {
  it("are 256 random bits, each another", () => {
    const tokens = new Set(Array.from({ length: 10_000 }, () => newToken(randomBytes)));
    expect(tokens.size).toBe(10_000);
    for (const token of [...tokens].slice(0, 100)) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  it("open nothing but what was sealed under them", () => {
    const sealed = seal(sealingKey(newToken(randomBytes)), "text", randomBytes);
    expect(() => unseal(sealingKey(newToken(randomBytes)), sealed)).toThrow();
    const key = sealingKey(newToken(randomBytes));
    const mine = seal(key, "text", randomBytes);
    expect(unseal(key, mine)).toBe("text");
    mine[mine.length - 1] = (mine.at(-1) ?? 0) ^ 1;
    expect(() => unseal(key, mine)).toThrow();
  });

  it("are in no byte of the store, nor is the service's token", async () => {
    const store = createSqliteSessionStore(path);
    const { bearer } = await open(store).open(FACTS, SERVICE);
    await store.close();
    const dump = readFileSync(path).toString("latin1");
    expect(dump).toContain("anon_1");
    expect(dump).not.toContain(bearer);
    expect(dump).not.toContain(SERVICE.token);
  });

  it("the hash that is in the store signs nobody in", async () => {
    const store = createSqliteSessionStore(path);
    const sessions = open(store);
    const { session } = await sessions.open(FACTS, SERVICE);
    await expect(sessions.find(`Bearer ${session.id}`)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("sessions", () => {
  it("are there again after a restart, with the service's token", async () => {
    const first = createSqliteSessionStore(path);
    const { bearer } = await open(first).open(
      { ...FACTS, locale: "de", page: "https://s.example/a" },
      SERVICE,
    );
    await first.close();
    const session = await open(createSqliteSessionStore(path)).find(`Bearer ${bearer}`);
    expect(session).toMatchObject({ ...FACTS, locale: "de", serviceToken: SERVICE });
  });

  it("a renewed service token is there again after a restart", async () => {
    const first = createSqliteSessionStore(path);
    const sessions = open(first);
    const { bearer, session } = await sessions.open(FACTS, SERVICE);
    await sessions.saveServiceToken(session, { token: "second", expiresAt: undefined });
    await first.close();
    const found = await open(createSqliteSessionStore(path)).find(`Bearer ${bearer}`);
    expect(found.serviceToken).toEqual({ token: "second", expiresAt: undefined });
  });

  it("when they were last seen is written down in the background, and at the end", async () => {
    const clock = createTestClock();
    const store = createSqliteSessionStore(path);
    const sessions = open(store, clock);
    const { bearer, session } = await sessions.open(FACTS, SERVICE);
    const begun = clock.now();
    await clock.advance(10_000);
    await sessions.find(`Bearer ${bearer}`);
    expect((await store.find(session.id))?.lastSeenAt).toBe(begun);
    await clock.advance(20_000);
    expect((await store.find(session.id))?.lastSeenAt).toBe(begun + 10_000);
    await sessions.find(`Bearer ${bearer}`);
    await sessions.close();
    expect((await store.find(session.id))?.lastSeenAt).toBe(begun + 30_000);
  });

  it("those that are over leave the store, with their pointers", async () => {
    const clock = createTestClock();
    const store = createSqliteSessionStore(path);
    const { session } = await open(store, clock).open(FACTS, SERVICE);
    await createPointers(store).change("anon_1", { conversationId: "c1", status: "open" });
    await clock.skip(26 * 3_600_000);
    expect(await store.find(session.id)).toBeUndefined();
    expect(await store.findPointer("anon_1")).toBeUndefined();
  });

  it("a store that fails is no way in: 503, not 2xx", async () => {
    const store = createSqliteSessionStore(path);
    const sessions = open(store);
    await store.close();
    await expect(sessions.find(`Bearer ${newToken(randomBytes)}`)).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(sessions.open(FACTS, SERVICE)).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.probe()).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("pointers", () => {
  it("are there again after a restart", async () => {
    const store = createSqliteSessionStore(path);
    const pointer = { conversationId: "c1", status: "open", epoch: "e", started: 2, handoffs: 1 } as const;
    await createPointers(store).change("anon_1", pointer);
    await store.close();
    expect(await createPointers(createSqliteSessionStore(path)).read("anon_1")).toEqual(pointer);
  });

  it("a known one is given without a look into the store", async () => {
    const store = createSqliteSessionStore(path);
    const pointers = createPointers(store);
    await pointers.read("anon_1");
    await store.close();
    expect(pointers.read("anon_1")).toMatchObject({ conversationId: undefined });
  });
});

describe("the store's file", () => {
  it("of a newer version is refused with one sentence", () => {
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    expect(() => createSqliteSessionStore(path)).toThrow(/newer version/);
  });

  it("that is no database is refused with one sentence, and left as it is", () => {
    writeFileSync(path, "this is a letter, not a database, and it is long enough to tell");
    expect(() => createSqliteSessionStore(path)).toThrow(/can't be opened. Check DATA_DIR/);
    expect(readFileSync(path, "utf8")).toMatch(/^this is a letter/);
  });
});
