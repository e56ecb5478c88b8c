// @vitest-environment node
import { describe, expect, it } from "vitest";
import { createBackoff } from "./backoff.ts";

describe("LINE1 the delays after a loss", () => {
  it.each([0.001, 0.5, 0.999])(
    "are at most 2.5 s for a minute, and an hour is at most 330 attempts (jitter %s)",
    (jitter) => {
      const backoff = createBackoff(() => jitter);
      let [attempts, at] = [0, 0];
      while (at < 60_000) {
        const delay = backoff.nextPrompt();
        expect(delay).toBeLessThanOrEqual(2_500);
        at += delay;
        attempts += 1;
      }
      expect(attempts).toBeLessThanOrEqual(53);
      // A fair die: nobody draws the smallest number for an hour.
      const fair = createBackoff(() => 0.5);
      for (at = attempts = 0; at < 3_600_000; attempts += 1) at += fair.nextPrompt();
      expect(attempts).toBeLessThanOrEqual(330);
    },
  );

  it("spread 1,000 panels: at most 600 attempts in any second of the outage", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const seconds = Array.from({ length: 60 }, () => 0);
    for (let panel = 0; panel < 1_000; panel += 1) {
      const backoff = createBackoff(random);
      for (let at = backoff.nextPrompt(); at < 60_000; at += backoff.nextPrompt()) {
        const second = Math.floor(at / 1_000);
        seconds[second] = (seconds[second] ?? 0) + 1;
      }
    }
    // The first two seconds hold the short delays of a loss that is over at once.
    expect(Math.max(...seconds.slice(4))).toBeLessThanOrEqual(600);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(2_000);
  });
});
