import { expect, it } from "vitest";
import { createTestClock } from "../testing/test-clock.ts";
import { createReadiness } from "./readiness.ts";

it("the store is written at most once a second, however many probes come", async () => {
  const clock = createTestClock();
  let writes = 0;
  let isBroken = false;
  const write = () => {
    writes += 1;
    return isBroken ? Promise.reject(new Error("disk")) : Promise.resolve(true);
  };
  const ready = createReadiness({
    store: { write },
    support: async () => [],
    isDraining: () => false,
    clock,
  });
  for (let n = 0; n < 20; n += 1) expect(await ready()).toEqual([]);
  expect(writes).toBe(1);
  isBroken = true;
  await clock.advance(1000);
  expect(await ready()).toEqual(["The session store can't be written."]);
  expect(writes).toBe(2);
});
