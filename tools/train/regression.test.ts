import { expect, test } from "vitest";
import { learn } from "./regression.ts";

test("a feature that tells right from wrong gets a large weight, one that does not a small one", () => {
  const examples = Array.from({ length: 200 }, (_, at) => ({
    features: { tells: at % 2, noise: (at % 7) / 7 },
    isRight: at % 2 === 1 ? at % 20 !== 1 : at % 20 === 0,
    weight: 1,
  }));
  const { bias, weights } = learn(["tells", "noise"], examples);
  expect(weights.tells).toBeGreaterThan(3);
  expect(Math.abs(weights.noise)).toBeLessThan(1);
  // Nine of ten with the feature are right, and one of ten without it.
  expect(1 / (1 + Math.exp(-bias - weights.tells - weights.noise / 2))).toBeCloseTo(0.9, 1);
});
