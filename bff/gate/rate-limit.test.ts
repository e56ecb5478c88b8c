import { describe, expect, it } from "vitest";
import { createTestClock } from "../testing/test-clock.ts";
import { createRateLimit } from "./rate-limit.ts";

describe("R87 a rate limit", () => {
  it("lets so many uses through in any window, and says how long to wait", async () => {
    const clock = createTestClock();
    const limit = createRateLimit(clock, { name: "test", max: 2, windowMs: 60_000 });
    limit.take("a");
    await clock.advance(20_000);
    limit.take("a");
    expect(() => limit.take("a")).toThrow(expect.objectContaining({ code: "rate_limited", retryAfter: 40 }));
    limit.take("b");
    await clock.advance(40_000);
    limit.take("a");
    expect(() => limit.take("a")).toThrow(expect.objectContaining({ retryAfter: 20 }));
  });

  it("a refused use does not count", async () => {
    const clock = createTestClock();
    const limit = createRateLimit(clock, { name: "test", max: 1, windowMs: 1000 });
    limit.take("a");
    for (let n = 0; n < 100; n += 1) expect(() => limit.take("a")).toThrow();
    await clock.advance(1000);
    expect(() => limit.take("a")).not.toThrow();
  });
});
