import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LoggedEvent } from "../../shared/event.ts";
import { createSqliteFeedStore } from "../feeds/sqlite-feed-store.ts";
import { createRateLimit } from "../gate/rate-limit.ts";
import { createUseCounts } from "../gate/use-counts.ts";
import { createPointers } from "../sessions/pointers.ts";
import type { SessionRecord } from "../sessions/session-store.ts";
import { createSqliteSessionStore } from "../sessions/sqlite-session-store.ts";
import { hashToken, newToken } from "../sessions/token.ts";
import { hasRedis, openOn, startRedis } from "../testing/redis-server.ts";
import { createTestClock, type TestClock } from "../testing/test-clock.ts";

/** The same facts of both forms; `open` gives a store that nobody has used. */
const FORMS = [
  {
    form: "embedded",
    open: async (clock: TestClock) => {
      const store = createSqliteSessionStore(":memory:");
      const feedStore = createSqliteFeedStore(":memory:", () => clock.now());
      onTestFinished(async () => void (await Promise.all([store.close(), feedStore.close()])));
      return { store, feedStore, counts: createUseCounts(), peers: undefined };
    },
  },
  ...(hasRedis
    ? [{ form: "shared", open: async (clock: TestClock) => openOn(await startRedis(), { clock }) }]
    : []),
];

const AT = "2026-11-21T12:00:00.000Z";
const log = { externalId: "anon_a", conversationId: "c1" };
const started = (seq: number): LoggedEvent => ({ type: "conversation.started", seq, at: AT });
const message = (seq: number, clientMessageId: string): LoggedEvent => ({
  type: "message.created",
  seq,
  at: AT,
  message: { id: clientMessageId, seq, role: "customer", body: "Hello\u2028", at: AT, clientMessageId },
});

describe.each(FORMS)("the $form store", ({ open }) => {
  async function setUp() {
    const clock = createTestClock();
    const stores = await open(clock);
    const record = (change: Partial<SessionRecord> = {}): SessionRecord => ({
      id: hashToken(newToken(randomBytes)),
      facts: {
        customer: { externalId: "anon_a", identified: false },
        route: { channel: "web", agentProvider: "knowledge" },
        capabilities: ["turns"],
        locale: "de",
      },
      sealedToken: randomBytes(60),
      tokenExpiresAt: undefined,
      createdAt: clock.now(),
      lastSeenAt: clock.now(),
      ...change,
    });
    return { ...stores, clock, record };
  }

  it("gives a session back as it was kept, and says which are not there", async () => {
    const { store, record, clock } = await setUp();
    const one = record({ tokenExpiresAt: clock.now() + 5 });
    await store.insert(one);
    const found = await store.find(one.id);
    expect({ ...found, sealedToken: Buffer.from(found?.sealedToken ?? []) }).toEqual(one);
    expect(await store.find("nobody")).toBeUndefined();
    expect(await store.missing([one.id, "nobody"])).toEqual(["nobody"]);
    await store.remove(one.id);
    expect(await store.find(one.id)).toBeUndefined();
  });

  it("changes one fact and leaves the others, takes one away, and makes nobody who is gone come back", async () => {
    const { store, record, clock } = await setUp();
    const one = record();
    await store.insert(one);
    const times = { createdAt: one.createdAt + 1, lastSeenAt: clock.now() + 2 };
    const { customer } = one.facts;
    await store.update({
      id: one.id,
      customer,
      change: { page: "https://s.example/", locale: undefined },
      ...times,
    });
    const { locale: _, ...rest } = one.facts;
    expect(await store.find(one.id)).toMatchObject({
      facts: { ...rest, page: "https://s.example/" },
      ...times,
    });
    expect((await store.find(one.id))?.facts.locale).toBeUndefined();
    await store.touch(new Map([[one.id, 1]]));
    expect((await store.find(one.id))?.lastSeenAt).toBe(times.lastSeenAt);
    await store.remove(one.id);
    await store.update({ id: one.id, customer, change: { page: "https://s.example/b" }, ...times });
    await store.saveToken(one.id, randomBytes(9), 1);
    await store.touch(new Map([[one.id, clock.now() + 9]]));
    expect(await store.find(one.id)).toBeUndefined();
  });

  it("lets one of 50 use a token", async () => {
    const { store, clock } = await setUp();
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => store.useOnce("jti", clock.now() + 60_000)),
    );
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it("lets one of many take a session's place, with the pointer that goes with it", async () => {
    const { store, record } = await setUp();
    const old = record();
    await store.insert(old);
    const pointer = { conversationId: "c1", status: "open", epoch: "e", started: 1, handoffs: 0 } as const;
    const next = Array.from({ length: 8 }, () => record());
    const done = await Promise.all(
      next.map((one) => store.replace(old.id, one, { externalId: "b", pointer })),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await store.missing([old.id, ...next.map(({ id }) => id)])).toHaveLength(8);
    expect(await store.findPointer("b")).toEqual(pointer);
  });

  it("writes a pointer over only as it was read", async () => {
    const { store } = await setUp();
    const first = { conversationId: "c1", status: "open", epoch: "e", started: 1, handoffs: 0 } as const;
    const full = {
      ...first,
      owner: "anon_x",
      aside: [{ conversationId: "c0", epoch: undefined, handoffs: 2 }],
      route: { agentProvider: "knowledge", channel: "web" },
      startedFor: [["k", "c1"]] as const,
    };
    expect(await store.savePointer("a", full)).toBe(true);
    expect(await store.savePointer("a", first)).toBe(false);
    const read = await store.findPointer("a");
    expect(read).toEqual(full);
    expect(await store.savePointer("a", { ...full, handoffs: 1 }, read)).toBe(true);
    expect(await store.savePointer("a", { ...full, handoffs: 2 }, read)).toBe(false);
    expect(await store.findPointer("a")).toMatchObject({ handoffs: 1 });
  });

  it("loses no change of a pointer when many come at once", async () => {
    const { store, peers } = await setUp();
    const all = Array.from({ length: 4 }, () => (peers ? createPointers(store, peers) : undefined));
    const alone = createPointers(store);
    // Two changes of each: one that always comes second has lost to six, and a change is made anew seven times.
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (all[n % 4] ?? alone).change("a", ({ handoffs }) => ({ handoffs: handoffs + 1 })),
      ),
    );
    expect(await alone.read("a")).toMatchObject({ handoffs: 8 });
  });

  it("LESS3 keeps a log in order, finds a message by its key, and gives each place once", async () => {
    const { feedStore } = await setUp();
    const added = await feedStore.append(log, (first) => [started(first), message(first + 1, "k1")]);
    expect(added).toEqual([started(1), message(2, "k1")]);
    expect(await feedStore.read(log, 0)).toEqual([started(1), message(2, "k1")]);
    expect(await feedStore.read(log, 1)).toHaveLength(1);
    expect(await feedStore.lastSeq(log)).toBe(2);
    expect(await feedStore.find(log, "k1")).toEqual(message(2, "k1"));
    expect(await feedStore.find(log, "k2")).toBeUndefined();
    const many = Array.from({ length: 20 }, (_, n) =>
      feedStore.append(log, (first) => [message(first, `many-${n}`)]),
    );
    const places = (await Promise.all(many)).flatMap((events) => events.map(({ seq }) => seq));
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 3));
    expect((await feedStore.find(log, "many-7"))?.seq).toBe(places[7]);
    expect((await feedStore.read(log, 0)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 22 }, (_, n) => n + 1),
    );
    const text = '"seq":4503599627370496, {"seq":4503599627370496}';
    await feedStore.append(log, (first) => {
      const event = message(first, "text");
      return event.type === "message.created"
        ? [{ ...event, message: { ...event.message, body: text } }]
        : [];
    });
    expect(await feedStore.find(log, "text")).toMatchObject({ seq: 23, message: { seq: 23, body: text } });
    expect(await feedStore.lastSeq({ ...log, externalId: "anon_b" })).toBe(0);
    expect(await feedStore.find({ ...log, conversationId: "c2" }, "k1")).toBeUndefined();
  });

  it("counts so many uses in any window, says how long to wait, and does not count what it refused", async () => {
    const { counts, clock } = await setUp();
    const limit = createRateLimit({ clock, counts }, { name: "test", max: 2, windowMs: 60_000 });
    await limit.take("a");
    await clock.advance(20_000);
    await limit.take("a");
    for (let n = 0; n < 20; n += 1) {
      await expect(limit.take("a")).rejects.toMatchObject({ code: "rate_limited", retryAfter: 40 });
    }
    await limit.take("b");
    await clock.advance(40_000);
    await limit.take("a");
    await expect(limit.take("a")).rejects.toMatchObject({ retryAfter: 20 });
  });

  it("can be asked whether it takes a write", async () => {
    const { store } = await setUp();
    await store.probe();
  });
});
