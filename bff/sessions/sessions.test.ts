import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { Failure } from "../../shared/errors.ts";
import { createSecret } from "../../shared/server/random.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createPointers } from "./pointers.ts";
import { type SessionFacts, SessionRecord } from "./session-record.ts";
import { createSessions } from "./sessions.ts";
import { seal, sealingKey, unseal } from "./token.ts";

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
const open = (store: Store, clock = createTestClock()) =>
  createSessions({ store, clock, random: randomBytes, onUpkeepFailure: () => undefined });

const POINTER = { conversationId: "c1", status: "open", epoch: "e", started: 2, handoffs: 1 } as const;

describe("memory", () => {
  it("holds a session while it is used, and forgets it after two hours without use", async () => {
    const clock = createTestClock();
    const sessions = open(createSqliteStore(path, { clock }), clock);
    const { bearer, session } = await sessions.open(FACTS, SERVICE);
    const find = () => sessions.find(`Bearer ${bearer}`);
    for (let hours = 0; hours < 3; hours += 1) {
      await clock.advance(59 * 60_000);
      expect(await find()).toBe(session);
    }
    await clock.advance(120 * 60_000);
    // It is read from the store again.
    const found = await find();
    expect(found).not.toBe(session);
    expect(found).toEqual({ ...session, lastSeenAt: clock.now() });
  });

  it("holds the last ten thousand ends of sessions", async () => {
    const store = createSqliteStore(path, { clock: createTestClock() });
    const sessions = open(store);
    const { session } = await sessions.open(FACTS, SERVICE);
    const end = (id: string) => store.publish({ topic: "ended", text: id });
    end(session.id);
    for (let n = 1; n < 10_000; n += 1) end(`other-${n}`);
    await vi.waitFor(() => expect(sessions.isOver({ ...session, id: "other-9999" })).toBe(true));
    expect(sessions.isOver(session), "control: ten thousand are held").toBe(true);
    end("one more");
    await vi.waitFor(() => expect(sessions.isOver(session)).toBe(false));
    await store.close();
  });
});

describe("SES1 bearer tokens", () => {
  it("are 256 random bits and never repeat", () => {
    const tokens = new Set(Array.from({ length: 10_000 }, () => createSecret(randomBytes)));
    expect(tokens.size).toBe(10_000);
    for (const token of [...tokens].slice(0, 100)) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  it("decrypt only what was encrypted with them", () => {
    const sealed = seal(sealingKey(createSecret(randomBytes)), "text", randomBytes);
    expect(() => unseal(sealingKey(createSecret(randomBytes)), sealed)).toThrow();
    const key = sealingKey(createSecret(randomBytes));
    const mine = seal(key, "text", randomBytes);
    expect(unseal(key, mine)).toBe("text");
    mine[mine.length - 1] = (mine.at(-1) ?? 0) ^ 1;
    expect(() => unseal(key, mine)).toThrow();
  });

  it("appear nowhere in the store's bytes, and neither does the service's token", async () => {
    const store = createSqliteStore(path);
    const { bearer } = await open(store).open(FACTS, SERVICE);
    await store.close();
    const dump = readFileSync(path).toString("latin1");
    expect(dump).toContain("anon_1");
    expect(dump).not.toContain(bearer);
    expect(dump).not.toContain(SERVICE.token);
  });

  it("the stored hash authenticates nobody", async () => {
    const store = createSqliteStore(path);
    const sessions = open(store);
    const { session } = await sessions.open(FACTS, SERVICE);
    await expect(sessions.find(`Bearer ${session.id}`)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("sessions", () => {
  it("survive a restart, with the service's token", async () => {
    const first = createSqliteStore(path);
    const { bearer } = await open(first).open(
      { ...FACTS, locale: "de", page: "https://s.example/a" },
      SERVICE,
    );
    await first.close();
    const session = await open(createSqliteStore(path)).find(`Bearer ${bearer}`);
    expect(session).toMatchObject({ ...FACTS, locale: "de", serviceToken: SERVICE });
  });

  it("keep a renewed service token after a restart", async () => {
    const first = createSqliteStore(path);
    const sessions = open(first);
    const { bearer, session } = await sessions.open(FACTS, SERVICE);
    await sessions.saveServiceToken(session, { token: "second", expiresAt: undefined });
    await first.close();
    const found = await open(createSqliteStore(path)).find(`Bearer ${bearer}`);
    expect(found.serviceToken).toEqual({ token: "second", expiresAt: undefined });
  });

  it("write when they were last seen in the background, and at shutdown", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(path, { clock });
    const sessions = open(store, clock);
    const { bearer, session } = await sessions.open(FACTS, SERVICE);
    const seenAt = async () =>
      SessionRecord.safeParse(JSON.parse((await store.get(`session:${session.id}`)) ?? "null")).data
        ?.lastSeenAt;
    const begun = clock.now();
    await clock.advance(10_000);
    await sessions.find(`Bearer ${bearer}`);
    expect(await seenAt()).toBe(begun);
    await clock.advance(20_000);
    expect(await seenAt()).toBe(begun + 10_000);
    await sessions.find(`Bearer ${bearer}`);
    await sessions.close();
    expect(await seenAt()).toBe(begun + 30_000);
  });

  it("write when they were last seen in a later round if a round failed, with the newest time", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(path, { clock });
    const sessions = open(store, clock);
    const [idle, busy] = [await sessions.open(FACTS, SERVICE), await sessions.open(FACTS, SERVICE)];
    const find = ({ bearer }: { bearer: string }) => sessions.find(`Bearer ${bearer}`);
    const begun = clock.now();
    await clock.advance(10_000);
    await Promise.all([find(idle), find(busy)]);
    const failing = vi.spyOn(store, "write").mockRejectedValue(new Failure("unavailable"));
    await clock.advance(20_000);
    expect(failing, "control: a round failed").toHaveBeenCalledTimes(2);
    await clock.advance(1000);
    await find(busy);
    failing.mockRestore();
    await clock.advance(29_000);
    const seenAt = async ({ session }: { session: { id: string } }) =>
      SessionRecord.parse(JSON.parse((await store.get(`session:${session.id}`)) ?? "null")).lastSeenAt;
    expect(await seenAt(idle)).toBe(begun + 10_000);
    expect(await seenAt(busy)).toBe(begun + 31_000);
  });

  it("are deleted from the store when they end, and their pointers when no session can lead to them", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(path, { clock });
    const { session } = await open(store, clock).open(FACTS, SERVICE);
    await createPointers(store, clock, () => undefined).change("anon_1", () => POINTER);
    const rows = () => {
      const db = new DatabaseSync(path, { readOnly: true });
      const keys = db.prepare("SELECT key FROM entries ORDER BY key").all();
      db.close();
      return keys.map(({ key }) => key);
    };
    expect(rows()).toEqual(["pointer:anon_1", `session:${session.id}`]);
    await clock.skip(26 * 3_600_000);
    expect(rows()).toEqual(["pointer:anon_1"]);
    await clock.skip(7 * 24 * 3_600_000);
    expect(rows()).toEqual([]);
  });

  it("a failing store answers 503 and lets nobody in", async () => {
    const store = createSqliteStore(path);
    const sessions = open(store);
    await store.close();
    await expect(sessions.find(`Bearer ${createSecret(randomBytes)}`)).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(sessions.open(FACTS, SERVICE)).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.write([])).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("pointers", () => {
  it("survive a restart", async () => {
    const store = createSqliteStore(path);
    await createPointers(store, createTestClock(), () => undefined).change("anon_1", () => POINTER);
    await store.close();
    expect(
      await createPointers(createSqliteStore(path), createTestClock(), () => undefined).read("anon_1"),
    ).toEqual(POINTER);
  });

  it("are not written for a customer who has none where nothing changes", async () => {
    const clock = createTestClock();
    const store = createSqliteStore(path, { clock });
    const write = vi.spyOn(store, "write");
    const test = createTestBff({ service: createFakeService(), store, clock });
    const { token } = await test.startSession();
    expect((await test.post("/api/session", {}, token)).status).toBe(200);
    const written = write.mock.calls.flatMap(([changes]) => changes.map(({ key }) => key));
    expect(written, "control: what is written is seen").toContainEqual(expect.stringMatching(/^session:/));
    expect(written.filter((key) => key.startsWith("pointer:"))).toEqual([]);
  });

  it("stay erased when something is learned late about their conversation", async () => {
    const store = createSqliteStore(path);
    const pointers = createPointers(store, createTestClock(), () => undefined);
    await pointers.changeAt("anon_1", "c1", (now) => ({ ...now, status: "ended" }));
    expect(await store.get("pointer:anon_1")).toBeUndefined();
  });

  it("a known one is returned from memory", async () => {
    const store = createSqliteStore(path);
    const pointers = createPointers(store, createTestClock(), () => undefined);
    await pointers.change("anon_1", () => POINTER);
    await store.close();
    expect(await pointers.read("anon_1")).toMatchObject({ conversationId: "c1" });
  });
});
