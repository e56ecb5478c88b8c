import { describe, expect, test } from "vitest";
import { Failure } from "./errors.ts";
import { parseJson } from "./json.ts";
import { MAX_JSON_DEPTH, MAX_JSON_KEYS } from "./limits.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(",")}}`;

function refusal(input: Uint8Array | string): string {
  try {
    parseJson(typeof input === "string" ? bytes(input) : input);
  } catch (error) {
    if (error instanceof Failure && error.code === "bad_json") return error.message;
    throw error;
  }
  return "accepted";
}

describe("parseJson reads", () => {
  test.each([
    "null",
    "true",
    '"text"',
    "-12.5e3",
    "0.1",
    String(Number.MAX_SAFE_INTEGER),
    '{"a":[1,{"b":"c"}],"d":{"b":"c"}}',
    ' { "a" : "b" } ',
    String.raw`{"a\"b":"\\","c":"{\"__proto__\":1}"}`,
    '{"text":"__proto__: { [ 1e999"}',
    '["__proto__"]',
  ])("%s", (text) => {
    expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
  });

  test("bodies up to the limits of depth and keys", () => {
    expect(refusal(nested(MAX_JSON_DEPTH))).toBe("accepted");
    expect(refusal(keys(MAX_JSON_KEYS))).toBe("accepted");
  });
});

describe("parseJson refuses", () => {
  test.each([
    ["nothing", "", "valid JSON"],
    ["half an object", '{"a":', "valid JSON"],
    ["data behind the end", "{} {}", "valid JSON"],
    ["one level too deep", nested(MAX_JSON_DEPTH + 1), "nested deeper"],
    ["a level that breaks stringify", nested(5000), "nested deeper"],
    ["one key too many", keys(MAX_JSON_KEYS + 1), "more than 200 keys"],
    ["too many keys spread over objects", `[${keys(101)},${keys(101)}]`, "more than 200 keys"],
    ["the same key twice", '{"a":1,"a":2}', "same key twice"],
    ["the same key twice, once escaped", String.raw`{"a":1,"\u0061":2}`, "same key twice"],
    ["__proto__", '{"__proto__":{}}', "reserved key"],
    ["__proto__, escaped and deep", String.raw`{"a":[{"\u005f_proto__" :1}]}`, "reserved key"],
    ["a number out of range", "1e999", "number"],
    ["an integer that loses its value", "9007199254740993", "number"],
  ])("%s", (_name, text, sentence) => {
    expect(refusal(text)).toContain(sentence);
  });

  test("bytes that are not UTF-8, UTF-16, and a byte order mark", () => {
    expect(refusal(new Uint8Array([0x22, 0xff, 0x22]))).toContain("valid JSON");
    expect(refusal(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]))).toContain("valid JSON");
    expect(refusal(new Uint8Array(Buffer.from('{"a":1}', "utf16le")))).toContain("valid JSON");
    expect(refusal(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toContain("valid JSON");
  });

  test("JSON.parse by itself accepts these (control)", () => {
    for (const text of [nested(5000), '{"a":1,"a":2}', '{"__proto__":{}}', "1e999", "9007199254740993"]) {
      expect(() => JSON.parse(text)).not.toThrow();
    }
  });
});
