import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { takeUses } from "../gate/limits.ts";
import { hasRedis, openOn, startRedis } from "../testing/redis-server.ts";
import { createTestClock, settle, type TestClock } from "../testing/test-clock.ts";
import { createLocks } from "./locks.ts";
import { createRecords } from "./records.ts";
import { createSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

/** Both drivers; `open` returns an empty store and, if it is shared, the same store as another process sees it. */
const DRIVERS = [
  {
    driver: "embedded",
    open: async (clock: TestClock) => {
      const store = createSqliteStore(":memory:", { clock });
      onTestFinished(() => store.close());
      return { store, other: store };
    },
  },
  ...(hasRedis
    ? [
        {
          driver: "shared",
          open: async (clock: TestClock) => {
            const redis = await startRedis();
            return { store: await openOn(redis, { clock }), other: await openOn(redis, { clock }) };
          },
        },
      ]
    : []),
];

const LIFE_MS = 60_000;
const put = (key: string, value: string) => ({ key, value, lifeMs: LIFE_MS });
const remove = (key: string) => ({ key, value: null });

async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.keys(prefix)) keys.push(key);
  return keys.toSorted();
}

/** Resolves when the condition is true. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settle();
}

describe.each(DRIVERS)("the $driver store", ({ open }) => {
  async function setUp() {
    const clock = createTestClock();
    return { clock, ...(await open(clock)) };
  }

  it("returns what was written, until it is deleted", async () => {
    const { store, other } = await setUp();
    expect(await store.get("a")).toBeUndefined();
    const text = 'Zoë said "1\u20282"\n\u0000 %s 🙂';
    expect(await store.write([put("a", text), put("b", "")])).toBe(true);
    expect(await store.get("a")).toBe(text);
    expect(await other.get("a")).toBe(text);
    expect(await store.get("b")).toBe("");
    await other.write([remove("a"), remove("missing")]);
    expect(await store.get("a")).toBeUndefined();
    expect(await store.get("b")).toBe("");
  });

  it("changes nothing if one of the conditions fails", async () => {
    const { store } = await setUp();
    await store.write([put("a", "1")]);
    for (const condition of [
      { ...put("a", "2"), was: "0" },
      { ...put("a", "2"), was: null },
      { ...put("b", "2"), was: "1" },
      { ...remove("a"), was: "0" },
    ]) {
      expect(await store.write([put("c", "new"), condition, remove("a")])).toBe(false);
    }
    expect(await store.get("a")).toBe("1");
    expect(await store.get("c")).toBeUndefined();
    expect(
      await store.write([
        { ...put("a", "2"), was: "1" },
        { ...put("c", "new"), was: null },
      ]),
    ).toBe(true);
    expect([await store.get("a"), await store.get("c")]).toEqual(["2", "new"]);
    expect(await store.write([{ ...remove("a"), was: "2" }])).toBe(true);
    expect(await store.get("a")).toBeUndefined();
  });

  it("of 50 writes that all require the same value, one wins", async () => {
    const { store, other } = await setUp();
    const tries = Array.from({ length: 50 }, (_, n) =>
      (n % 2 === 0 ? store : other).write([{ ...put("a", String(n)), was: null }, put(`won:${n}`, "1")]),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await keysOf(store, "won:")).toEqual([`won:${await store.get("a")}`]);
  });

  it("lists the keys with a prefix, however many exist", async () => {
    const { store } = await setUp();
    await store.write(Array.from({ length: 1200 }, (_, n) => put(`many:${n}`, "x")));
    await store.write([put("man", "x"), put("manz", "x"), put("other", "x")]);
    expect(new Set(await keysOf(store, "many:")).size).toBe(1200);
    expect(await keysOf(store, "man")).toHaveLength(1202);
    expect(await keysOf(store, "none")).toEqual([]);
  });

  it("sends a signal only with a successful write, in the order of the writes", async () => {
    const { store, other } = await setUp();
    const heard: string[] = [];
    other.subscribe("feed", (text) => void heard.push(text));
    other.subscribe("turn", (text) => void heard.push(`turn ${text}`));
    await settle();
    await store.write([put("a", "1")], { topic: "feed", text: "first" });
    await store.write([{ ...put("a", "2"), was: "0" }], { topic: "feed", text: "never" });
    await Promise.all(["2", "3"].map((text) => store.write([put("a", text)], { topic: "feed", text })));
    store.publish({ topic: "turn", text: "stop" });
    await until(() => heard.length >= 4);
    expect(heard).toEqual(["first", "2", "3", "turn stop"]);
  });

  it("of 50 uses of a token, one succeeds", async () => {
    const { store } = await setUp();
    const uses = Array.from({ length: 50 }, () => store.write([{ ...put("used:jti", "1"), was: null }]));
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  it("gives a name to one holder at a time, and then to the next one", async () => {
    const { store, clock } = await setUp();
    const locks = createLocks(store, clock);
    const tries = await Promise.all(Array.from({ length: 10 }, () => locks.lease("name", 0)));
    const held = tries.filter((lease) => lease !== undefined);
    expect(held).toHaveLength(1);
    expect(await locks.lease("another", 0)).toBeDefined();
    await held[0]?.();
    expect(await locks.lease("name", 0)).toBeDefined();
  });

  it("gives back a counted use, and no other", async () => {
    const { store } = await setUp();
    const rule = { name: "back", max: 2, windowMs: 60_000 };
    const isRefused = async (at: number) => (await store.count(rule, "ann", at)).isRefused;
    expect([await isRefused(1), await isRefused(2), await isRefused(3)]).toEqual([false, false, true]);
    await store.giveBack(rule, "bob", 1);
    await store.giveBack(rule, "ann", 3);
    expect(await isRefused(4)).toBe(true);
    await store.giveBack(rule, "ann", 1);
    expect([await isRefused(5), await isRefused(6)]).toEqual([false, true]);
  });

  it("counts exactly in any window, says how long to wait, and does not count what it refused", async () => {
    const { store, clock } = await setUp();
    const rule = { name: "test", max: 2, windowMs: 60_000 };
    const take = (key: string) => takeUses({ clock, counts: store }, [[rule, key]]);
    await take("a");
    await clock.advance(20_000);
    await take("a");
    for (let n = 0; n < 20; n += 1) {
      await expect(take("a")).rejects.toMatchObject({ code: "rate_limited", retryAfter: 40 });
    }
    await take("b");
    await clock.advance(40_000);
    await take("a");
    await expect(take("a")).rejects.toMatchObject({ retryAfter: 20 });
  });

  describe("records", () => {
    async function openRecords() {
      const { store, other, clock } = await setUp();
      const of = (from: Store) =>
        createRecords<{ n: number }>({
          store: from,
          clock,
          prefix: "count:",
          schema: z.object({ n: z.number() }),
          lifeOf: () => LIFE_MS,
          cachedCharacters: 10_000,
        });
      return { store, records: of(store), others: of(other) };
    }
    const increase = (now = { n: 0 }) => ({ n: now.n + 1 });

    it("lose no change when many processes change one concurrently", async () => {
      const { records, others } = await openRecords();
      const changes = Array.from({ length: 40 }, (_, n) => (n % 2 ? records : others).change("a", increase));
      const values = (await Promise.all(changes)).map((after) => after?.n);
      expect(values.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
      expect((await records.find("a"))?.value).toEqual({ n: 40 });
      expect((await others.find("a"))?.value).toEqual({ n: 40 });
    });

    it("return the same object for the same text, and a new one for a new text", async () => {
      const { records, others } = await openRecords();
      await others.change("a", increase);
      const first = await records.find("a");
      expect((await records.find("a"))?.value).toBe(first?.value);
      await others.change("a", increase);
      expect((await records.find("a"))?.value).toEqual({ n: 2 });
    });

    it("refuse a foreign value, and do not overwrite it", async () => {
      const { store, records } = await openRecords();
      for (const foreign of ["{", "null", '{"n":"1"}', ""]) {
        await store.write([put("count:a", foreign)]);
        await expect(records.find("a")).rejects.toMatchObject({ code: "unavailable" });
        await expect(records.change("a", increase)).rejects.toMatchObject({ code: "unavailable" });
        expect(await store.get("count:a")).toBe(foreign);
      }
    });

    it("write nothing if nothing differs", async () => {
      const { records, others } = await openRecords();
      await records.change("a", increase);
      const signals: unknown[] = [];
      const signalOf = () => {
        signals.push("written");
        return { topic: "feed", text: "" } as const;
      };
      expect(await records.change("a", (now) => now && { ...now }, signalOf)).toEqual({ n: 1 });
      expect(await others.change("a", () => undefined, signalOf)).toEqual({ n: 1 });
      expect(signals).toEqual([]);
    });
  });
});

it.runIf(hasRedis)(
  "the shared store counts uses of a process whose clock is ahead by more than the window",
  async () => {
    const store = await openOn(await startRedis(), { clock: createTestClock() });
    const rule = { name: "ahead", max: 1, windowMs: 60_000 };
    const isRefused = async (at: number) => (await store.count(rule, "ann", at)).isRefused;
    expect([await isRefused(120_000), await isRefused(1)]).toEqual([false, true]);
  },
);
