import { expect, test } from "vitest";
import { fuse } from "./fuse.ts";

const fused = (own: string, other: string) => fuse(own.split(""), other.split("")).join("");

test.each([
  ["an empty other ranking changes nothing", "abc", "", "abc"],
  ["the same ranking changes nothing", "abc", "abc", "abc"],
  ["two rankings that contradict each other leave the first as it is", "ab", "ba", "ab"],
  ["what the other ranking has first rises", "abcd", "d", "dabc"],
  ["what only the other ranking has takes its place there", "abc", "xc", "caxb"],
  ["an item counts by its first place", "abc", "ccccb", "cba"],
])("%s", (_fact, own, other, expected) => {
  expect(fused(own, other)).toBe(expected);
});
