import { expect, test } from "vitest";
import { featuresOf } from "../../service/guard/claim-reader/features.ts";
import { learnWeights, scoreOf } from "./learn-weights.ts";

const ORDERS = ["order", "flight", "booking", "contract", "lesson", "visit", "seat", "ticket"];
const EXAMPLES = ORDERS.flatMap((thing) => [
  { features: featuresOf(`your ${thing} was moved to friday`, false), isClaim: true },
  { features: featuresOf(`a ${thing} can be moved to friday`, false), isClaim: false },
]);

test("what tells claims apart is learned, also for a word that no sentence had", () => {
  const weights = learnWeights(EXAMPLES);
  expect(scoreOf(weights, featuresOf("your parcel was moved to friday", false))).toBeGreaterThan(1);
  expect(scoreOf(weights, featuresOf("a parcel can be moved to friday", false))).toBeLessThan(-1);
});

test("the same sentences give the same weights", () => {
  expect(learnWeights(EXAMPLES)).toEqual(learnWeights(EXAMPLES));
});
