import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoints } from "./characters.ts";
import { isCleanText, lineText, plainText } from "./text.ts";

describe("clean text", () => {
  test.each(["", "a", "a\nb\tc", "😀", "שלום", "e\u0301", "\u2028", "\u202e"])("is %j", (text) => {
    expect(isCleanText(text)).toBe(true);
  });

  test.each(["\0", "a\u0007", "\u001b[31m", "\u0085", "\u007f", "\r", "\ud800", "\udc00\ud800"])(
    "is not %j",
    (text) => {
      expect(isCleanText(text)).toBe(false);
    },
  );

  test("survives encoding as UTF-8", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 50 }), (units) => {
        const text = String.fromCharCode(...units);
        const back = Buffer.from(text, "utf8").toString("utf8");
        return !isCleanText(text) || back === text;
      }),
    );
  });
});

describe("length", () => {
  test("counts an emoji once", () => {
    expect(codePoints("a😀b")).toBe(3);
    expect(plainText(2).safeParse("😀😀").success).toBe(true);
    expect(plainText(2).safeParse("😀😀😀").success).toBe(false);
  });
});

describe("plainText", () => {
  test.each([
    ["a\r\nb", "a\nb"],
    ["a\rb\r\r\nc", "a\nb\n\nc"],
    ["  kept  ", "  kept  "],
  ])("takes %j as %j", (text, kept) => {
    expect(plainText(100).parse(text)).toBe(kept);
  });

  test.each(["", " ", "\n\t ", "\u00a0", 1, null, {}, ["a"]])("refuses %j", (value) => {
    expect(plainText(100).safeParse(value).success).toBe(false);
  });
});

describe("lineText", () => {
  test.each(["a\nb", "a\tb", " ", "x".repeat(11)])("refuses %j", (value) => {
    expect(lineText(10).safeParse(value).success).toBe(false);
  });

  test("takes one line", () => {
    expect(lineText(10).parse("Ann O’Neil")).toBe("Ann O’Neil");
  });
});
