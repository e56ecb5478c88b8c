import { expect, it } from "vitest";
import { createShareRunning } from "./share-running.ts";

it("shares the result of work that runs, for each key, and runs it again afterwards", async () => {
  const share = createShareRunning<number>();
  let runs = 0;
  const work = async () => ++runs;
  expect(await Promise.all([share("a", work), share("a", work), share("b", work)])).toEqual([1, 1, 2]);
  expect(await share("a", work)).toBe(3);
});

it("shares a failure, and forgets it", async () => {
  const share = createShareRunning<void>();
  const fail = () => Promise.reject(new Error("broken"));
  const both = await Promise.allSettled([share("a", fail), share("a", fail)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await share("a", async () => undefined);
});
