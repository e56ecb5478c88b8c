import { describe, expect, test } from "vitest";
import { MAX_TRAITS } from "./limits.ts";
import { Traits } from "./traits.ts";

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

describe("traits", () => {
  test.each([
    [{}],
    [{ plan: "pro", seats: 3, trial: false, left: null }],
    [{ "a.b-c_d": "x" }],
    [many(MAX_TRAITS)],
  ])("may be %j", (traits) => {
    expect(Traits.parse(traits)).toEqual(traits);
  });

  test.each([
    [{ a: { b: 1 } }],
    [{ a: [1] }],
    [{ a: undefined }],
    [{ a: "x".repeat(257) }],
    [{ a: "\0" }],
    [{ a: "\ud800" }],
    [{ a: Number.NaN }],
    [{ a: Number.POSITIVE_INFINITY }],
    [{ "": 1 }],
    [{ "1a": 1 }],
    [{ "a b": 1 }],
    [{ [`a${"x".repeat(64)}`]: 1 }],
    [{ constructor: "x" }],
    [{ prototype: "x" }],
    [many(MAX_TRAITS + 1)],
    [[]],
    ["x"],
    [null],
  ])("are never %j", (traits) => {
    expect(Traits.safeParse(traits).success).toBe(false);
  });

  test.each(["1a", "a b", "größe", `a${"x".repeat(64)}`])(
    "a fault of the name %s says what a name is",
    (name) => {
      expect(Traits.safeParse({ [name]: 1 }).error?.issues).toMatchObject([
        { path: [name], message: "a trait's name is a letter, then at most 63 of A-Z a-z 0-9 _ . -" },
      ]);
    },
  );

  test("never contain __proto__", () => {
    expect(Object.entries(Traits.parse(JSON.parse('{"__proto__":"x","a":1}')))).toEqual([["a", 1]]);
  });
});
