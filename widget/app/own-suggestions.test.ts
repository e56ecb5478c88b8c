// @vitest-environment node
import { describe, expect, it } from "vitest";
import { suggestionsOf } from "./own-suggestions.ts";

describe("LOOK8 the owner's questions", () => {
  it("at most four questions of 120 characters are shown, never cut within a character", () => {
    expect(suggestionsOf("a\nb\nc\nd\ne")).toEqual(["a", "b", "c", "d"]);
    expect(suggestionsOf("👍".repeat(130))).toEqual(["👍".repeat(120)]);
    expect(suggestionsOf()).toEqual([]);
  });

  it("questions are read from a JSON list or from lines; malformed JSON counts as a line", () => {
    expect(suggestionsOf('["Where, and when?", "How?"]')).toEqual(["Where, and when?", "How?"]);
    expect(suggestionsOf("Where, and when?\nHow?")).toEqual(["Where, and when?", "How?"]);
    expect(suggestionsOf('["cut off')).toEqual(['["cut off']);
    expect(suggestionsOf("12")).toEqual(["12"]);
  });
});
