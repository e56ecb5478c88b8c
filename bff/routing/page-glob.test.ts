import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { containsGlob, globFault, matchesGlob, parseGlob, readPage } from "./page-glob.ts";
import { findFailure } from "./testing/routing-kit.ts";

// A busy machine may take longer than a unit test usually has; nothing here waits for time.
vi.setConfig({ testTimeout: 60_000 });

function matches(glob: string, page: string): boolean {
  const path = readPage(page);
  return path !== undefined && matchesGlob(parseGlob(glob), path);
}

describe("a pattern of pages", () => {
  it.each<[glob: string, page: string, holds: boolean]>([
    ["/", "/", true],
    ["/", "/a", false],
    ["/a", "/a/", true],
    ["/a/", "/a", true],
    ["/a//b", "/a/b", true],
    ["/a", "/A", false],
    ["/*", "/", false],
    ["/*", "/a", true],
    ["/*", "/a/b", false],
    ["/**", "/", true],
    ["/**", "/a/b/c", true],
    ["/a/**", "/a", true],
    ["/a/**", "/ab", false],
    ["/**/z", "/z", true],
    ["/**/z", "/a/b/z", true],
    ["/**/z", "/z/a", false],
    ["/a/**/z", "/a/z", true],
    ["/a/**/z", "/a/b/c/z", true],
    ["/a/**/z/**", "/a/b/z/c", true],
    ["/a/**/b/c/**/d", "/a/b/x/b/c/d", true],
    ["/a/**/b/c/**/d", "/a/b/x/c/d", false],
    ["/**/**", "/a", true],
    ["/a*", "/a", true],
    ["/a*c", "/abc", true],
    ["/a*c", "/ac", true],
    ["/a*a", "/a", false],
    ["/a*b*c", "/a-b-b-c", true],
    ["/*b*", "/abc", true],
    ["/a*bb*b", "/abb", false],
    ["/caf%C3%A9", "/café", true],
    ["/café", "/caf%C3%A9", true],
    ["/café", "/cafe\u0301", true],
    ["/100%25", "/100%25", true],
    ["/a%2Ab", "/axb", false],
    ["/a%2Ab", "/a*b", true],
    ["/a", "/a?b=/c", true],
    ["/a", "/a#/b", true],
    ["/b", "/a/../b", true],
    ["/b", "/%2e%2e/b", true],
    ["/b", "/../b", true],
    ["/a%zz", "/a%zz", true],
    ["/a", "https://shop.example/a?b#c", true],
    ["/", "https://shop.example", true],
    ["/**", "mailto:a@example.com", false],
    ["/**", "javascript:/a", false],
    ["/**", "a", false],
    ["/**", "", false],
  ])("%s with %s: %s", (glob, page, holds) => {
    expect(matches(glob, page)).toBe(holds);
  });

  it("takes steps in proportion to pattern and page, whatever they are", () => {
    const stars = `/${"*a".repeat(250)}b`;
    const depths = `/${"**/a/".repeat(100)}b`;
    expect(matches(stars, `/${"a".repeat(2000)}`)).toBe(false);
    expect(matches(depths, `/${"a/".repeat(1000)}`)).toBe(false);
  });
});

describe("globFault", () => {
  it.each(["/", "/a", "/a/", "/**", "/a/**/b", "/a*b", "/*.html", "/caf%C3%A9", "/:x", "/a~b(c)"])(
    "%s is right",
    (glob) => {
      expect(globFault(glob)).toBeUndefined();
    },
  );
});

const segment = fc.constantFrom("a", "b", "ab", "*", "a*", "*b", "a*b", "*a*", "**");
const glob = fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
const page = fc
  .array(fc.constantFrom("a", "b", "ab", "aab", "ba", "c"), { maxLength: 4 })
  .map((parts) => `/${parts.join("/")}`);

describe("containsGlob", () => {
  it.each<[wide: string, narrow: string, holds: boolean]>([
    ["/**", "/a/**/b", true],
    ["/a/**", "/a", true],
    ["/a/**", "/a/*/b", true],
    ["/*", "/a*b", true],
    ["/a*", "/ab*c", true],
    ["/*", "/**", false],
    ["/ab*", "/a*", false],
    ["/a/*", "/a/**", false],
    ["/**/b", "/a/**/b", true],
    ["/a*b", "/a%2Ab", true],
    ["/a%2Ab", "/a*b", false],
    ["/a%2Ab", "/axb", false],
    ["/a%2A*", "/axb", false],
    ["/a%2A*", "/a%2Ab", true],
  ])("%s holds %s: %s", (wide, narrow, holds) => {
    expect(containsGlob(parseGlob(wide), parseGlob(narrow))).toBe(holds);
  });

  it("never says it of two patterns that a page tells apart", () => {
    let held = 0;
    expect(
      findFailure(
        fc.property(glob, glob, fc.array(page, { minLength: 20, maxLength: 20 }), (wide, narrow, pages) => {
          if (!containsGlob(parseGlob(wide), parseGlob(narrow))) return true;
          held += 1;
          return pages.every((one) => !matches(narrow, one) || matches(wide, one));
        }),
        2000,
      ),
    ).toBeNull();
    expect(held).toBeGreaterThan(100);
  });

  it("a pattern holds itself", () => {
    expect(
      findFailure(
        fc.property(glob, (one) => containsGlob(parseGlob(one), parseGlob(one))),
        200,
      ),
    ).toBeNull();
  });
});
