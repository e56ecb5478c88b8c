import { expect, it } from "vitest";
import { createManualClock } from "../../service/testing/manual-clock.ts";
import { createUseCounts } from "./use-counts.ts";

const HOUR = { name: "address-handoffs", max: 1, windowMs: 3_600_000 };
const MINUTE = { name: "calls", max: 1, windowMs: 60_000 };

it("a flood of keys that count for a minute drops the oldest of them, and none that counts for an hour", () => {
  const clock = createManualClock();
  const counts = createUseCounts(clock);
  const isRefused = (rule: typeof HOUR, key: string) => counts.count(rule, key, clock.now()).isRefused;
  expect([isRefused(HOUR, "ann"), isRefused(MINUTE, "ann")]).toEqual([false, false]);
  expect([isRefused(HOUR, "ann"), isRefused(MINUTE, "ann")]).toEqual([true, true]);
  for (let n = 0; n < 50_000; n += 1) counts.count(MINUTE, `visitor ${n}`, clock.now());
  expect([isRefused(HOUR, "ann"), isRefused(MINUTE, "ann")]).toEqual([true, false]);
});
