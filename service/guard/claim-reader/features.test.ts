import { expect, test } from "vitest";
import { featuresOf, SIZE } from "./features.ts";

test("a long and a short sentence have the same length, and every number is one of the weights", () => {
  for (const words of [
    "done",
    "your order , which you placed on monday , has left our warehouse",
    "返金しました",
  ]) {
    const features = featuresOf(words, false);
    expect(features.reduce((sum, { value }) => sum + value * value, 0)).toBeCloseTo(1);
    expect(features.every(({ at }) => Number.isInteger(at) && at >= 0 && at < SIZE)).toBe(true);
  }
});

test("numbers are all the same, a question is not its statement, and the order of words counts", () => {
  expect(featuresOf("order 17", false)).toEqual(featuresOf("order 4711", false));
  expect(featuresOf("it is done", true)).not.toEqual(featuresOf("it is done", false));
  expect(featuresOf("is it done", false)).not.toEqual(featuresOf("it is done", false));
});
