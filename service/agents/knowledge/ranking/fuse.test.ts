import { expect, test } from "vitest";
import { fuse } from "./fuse.ts";

const fused = (ranked: string, other: string) =>
  fuse(ranked.split(""), other.split(""), (item) => item).join("");

test.each([
  ["an empty other ranking changes nothing", "abc", "", "abc"],
  ["the same ranking changes nothing", "abc", "abc", "abc"],
  ["two rankings that contradict each other leave the first as it is", "ab", "ba", "ab"],
  ["what the other ranking has first rises", "abcd", "d", "dabc"],
  ["what only the other ranking has is not added", "abc", "xc", "cab"],
  ["a name counts by its first place", "abc", "ccccb", "cba"],
])("%s", (_fact, ranked, other, expected) => {
  expect(fused(ranked, other)).toBe(expected);
});
