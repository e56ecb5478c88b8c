import { expect, it } from "vitest";
import { createAtMost } from "./at-most.ts";

it("a task beyond those that run and wait is refused, until a place is free", async () => {
  const atMost = createAtMost(1, 1);
  const first = Promise.withResolvers<string>();
  const running = atMost(() => first.promise);
  const waiting = atMost(() => Promise.resolve("second"));
  await expect(atMost(() => Promise.resolve("third"))).rejects.toMatchObject({
    code: "rate_limited",
    retryAfter: 5,
  });
  first.resolve("first");
  expect(await Promise.all([running, waiting])).toEqual(["first", "second"]);
  expect(await atMost(() => Promise.resolve("fourth"))).toBe("fourth");
});
