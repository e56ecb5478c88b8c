import { describe, expect, it } from "vitest";
import { movedPlace } from "./emoji-grid.ts";

// Places 0 to 7, 8 to 11 in the first group, 12 in the second.
const LENGTHS = [12, 1];

describe("movedPlace", () => {
  it.each([
    ["ArrowRight", 7, 8],
    ["ArrowRight", 11, 12],
    ["ArrowRight", 12, undefined],
    ["ArrowLeft", 8, 7],
    ["ArrowLeft", 0, undefined],
    ["ArrowDown", 2, 10],
    ["ArrowDown", 6, 11],
    ["ArrowDown", 10, 12],
    ["ArrowDown", 12, undefined],
    ["ArrowUp", 12, 8],
    ["ArrowUp", 9, 1],
    ["ArrowUp", 5, undefined],
    ["Home", 10, 8],
    ["End", 10, 11],
    ["a", 3, undefined],
  ])("%s from %d moves to %s", (key, from, to) => {
    expect(movedPlace(LENGTHS, from, key, false)).toBe(to);
  });

  it("the horizontal arrows change places where text runs from right to left", () => {
    expect(movedPlace(LENGTHS, 3, "ArrowLeft", true)).toBe(4);
    expect(movedPlace(LENGTHS, 3, "ArrowRight", true)).toBe(2);
  });
});
