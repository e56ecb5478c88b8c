import { describe, expect, it } from "vitest";
import { createManualClock } from "../../service/testing/manual-clock.ts";
import { createIdleCache } from "./idle-cache.ts";

const HOUR_MS = 3_600_000;
const keys = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}`);

describe("the cache of sessions and records", () => {
  it("is bounded by the size of its entries: large ones displace those that were used longest ago", () => {
    const cache = createIdleCache<{ text: string }>(createManualClock(), 10_000, ({ text }) => text.length);
    for (const key of keys(9)) cache.set(key, { text: "x".repeat(900) });
    expect(cache.size, "control: they fit").toBe(9);
    cache.get("key-0");
    cache.set("large", { text: "x".repeat(7000) });
    expect(cache.calculatedSize).toBeLessThanOrEqual(10_000);
    expect([...cache.keys()].sort()).toEqual(["key-0", "key-8", "large"]);
  });

  it("does not store an entry that is larger than the whole cache", () => {
    const cache = createIdleCache<{ text: string }>(createManualClock(), 10_000, ({ text }) => text.length);
    cache.set("small", { text: "" });
    cache.set("huge", { text: "x".repeat(10_000) });
    expect([...cache.keys()]).toEqual(["small"]);
  });

  it("drops what nobody read for two hours, and nothing that was read in the last one", () => {
    const clock = createManualClock();
    const cache = createIdleCache<object>(clock, 10_000, () => 0);
    for (const key of keys(2)) cache.set(key, {});
    for (let halfHours = 0; halfHours < 4; halfHours += 1) {
      clock.advance(HOUR_MS / 2);
      cache.get("key-1");
    }
    expect([...cache.keys()]).toEqual(["key-1"]);
    clock.advance(HOUR_MS - 1);
    expect(cache.size).toBe(1);
    clock.advance(HOUR_MS + 1);
    expect(cache.size).toBe(0);
  });

  it("counts an entry's key and its own cost, so that many empty entries are bounded too", () => {
    const cache = createIdleCache<object>(createManualClock(), 10_000, () => 0);
    for (const key of keys(1000)) cache.set(key, {});
    expect(cache.size).toBeLessThan(100);
    expect(cache.has("key-999")).toBe(true);
  });
});
