import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { JsonTextError, readJsonText } from "./json-text.ts";
import { findFailure } from "./testing/routing-kit.ts";

// A busy machine may take longer than a unit test usually has; nothing here waits for time.
vi.setConfig({ testTimeout: 60_000 });

function errorOf(text: string): string {
  try {
    readJsonText(text);
    return "none";
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
}

describe("readJsonText", () => {
  it("reads what JSON.parse reads, to the same value", () => {
    const letters = fc.constantFrom(
      "a",
      '"',
      "\\",
      "/",
      "\u0000",
      "\n",
      "\u007f",
      "\u2028",
      "é",
      "😀",
      "\ud800",
    );
    const text = fc.array(letters, { maxLength: 5 }).map((parts) => parts.join(""));
    const numbers = [
      fc.integer(),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(1e10, -2.5e3),
    ];
    const leaf = fc.oneof(text, fc.boolean(), fc.constant(null), ...numbers);
    const inner = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }));
    const value = fc.oneof(
      inner,
      fc.dictionary(text, inner, { maxKeys: 4 }),
      fc.array(inner, { maxLength: 4 }),
    );
    expect(
      findFailure(
        fc.property(value, fc.constantFrom(0, 2), (one, indent) => {
          const json = JSON.stringify(one, null, indent);
          return isDeepStrictEqual(readJsonText(json).value, JSON.parse(json));
        }),
        200,
      ),
    ).toBeNull();
  });

  it("accepts a text exactly when JSON.parse does", () => {
    const pieces = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      "1",
      "-",
      "01",
      "1e5",
      ".5",
      "true",
      "nul",
      " ",
      "\n",
      "'b'",
      "//",
    );
    expect(
      findFailure(
        fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
          const text = parts.join("");
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          return (errorOf(text) === "none") === isJson;
        }),
        3000,
      ),
    ).toBeNull();
  });

  it.each<[text: string, error: string]>([
    ["", "line 1, column 1: the text ends where a value is expected"],
    ["[", "line 1, column 2: the text ends where a value is expected"],
    ["[1", "line 1, column 3: the text ends where , or ] is expected"],
    ["[1,]", "line 1, column 4: a value is expected"],
    ["[1 2]", "line 1, column 4: , or ] is expected"],
    ['{"a" 1}', "line 1, column 6: : is expected"],
    ['{"a":1,}', "line 1, column 8: a key in double quotes is expected"],
    ["{a:1}", "line 1, column 2: a key in double quotes is expected"],
    ["['a']", "line 1, column 2: a value is expected"],
    ["[\n  1,\n  // no\n  2\n]", "line 3, column 3: a value is expected"],
    ["[1] x", "line 1, column 5: the end of the text is expected"],
    ['["a\nb"]', "line 1, column 2: a value is expected"],
    [`${"[".repeat(40)}${"]".repeat(40)}`, "line 1, column 18: at most 16 levels is expected"],
  ])("says where %s breaks", (text, error) => {
    expect(errorOf(text)).toBe(error);
  });

  it("names what JSON.parse drops in silence", () => {
    const { faults } = readJsonText(
      '[{"a": 1, "a": {"b": 1, "\\u0062": 2}}, {"__proto__": 1e999, "c": 9007199254740993}]',
    );
    expect(faults).toEqual([
      { path: [0, "a"], key: "b", fault: 'holds the key "b" twice' },
      { path: [0], key: "a", fault: 'holds the key "a" twice' },
      { path: [1, "__proto__"], fault: "holds the number 1e999, which can't be kept exactly" },
      { path: [1], key: "__proto__", fault: 'holds the reserved key "__proto__"' },
      { path: [1, "c"], fault: "holds the number 9007199254740993, which can't be kept exactly" },
    ]);
  });
});
