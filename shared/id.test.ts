import { describe, expect, test } from "vitest";
import { ExternalId, Id, Instant, isAnonymousId, Seq } from "./id.ts";

describe("an id", () => {
  test.each(["a", "conv_1", "0b9-x.y~z:1", "...", "x".repeat(128)])("may be %s", (id) => {
    expect(Id.parse(id)).toBe(id);
  });

  test.each([
    "",
    ".",
    "..",
    "../../admin",
    "%2e%2e%2f",
    "x?y=",
    "x#",
    "a b",
    "a/b",
    "a\\b",
    "\u2025",
    "é",
    "a\n",
    "x".repeat(129),
    1,
    null,
    ["a"],
    { toString: () => "a" },
  ])("is never %j", (id) => {
    expect(Id.safeParse(id).success).toBe(false);
  });
});

describe("an externalId", () => {
  test.each(["customer-42", "a@b.example", "日本", "a b", "x".repeat(255)])("may be %s", (id) => {
    expect(ExternalId.parse(id)).toBe(id);
  });

  test.each(["", " a", "a ", "a\0b", "a\nb", "\u0085", "\ud800", "x".repeat(256), 42])(
    "is never %j",
    (id) => {
      expect(ExternalId.safeParse(id).success).toBe(false);
    },
  );

  test("is recognised as an anonymous visitor's by its prefix", () => {
    expect(isAnonymousId("anon_x")).toBe(true);
    expect(isAnonymousId("customer_anon_x")).toBe(false);
  });
});

describe("places and times", () => {
  test.each([0, -1, 1.5, Number.NaN, "1"])("%s is not a seq", (seq) => {
    expect(Seq.safeParse(seq).success).toBe(false);
  });

  test("an instant is what toISOString writes", () => {
    expect(Instant.safeParse(new Date(0).toISOString()).success).toBe(true);
    expect(Instant.safeParse("yesterday").success).toBe(false);
  });
});
