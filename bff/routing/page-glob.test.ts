import { describe, expect, it } from "vitest";
import { matchesGlob, PAGE_GLOB, parseGlob, readPage } from "./page-glob.ts";

function matches(glob: string, page: string): boolean {
  const path = readPage(page);
  return path !== undefined && matchesGlob(parseGlob(glob), path);
}

describe("a pattern of pages", () => {
  it.each<[glob: string, page: string, expected: boolean]>([
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
    ["/a/b", "//a/b", true],
    ["/**", "a", false],
    ["/**", "", false],
  ])("%s with %s: %s", (glob, page, expected) => {
    expect(matches(glob, page)).toBe(expected);
  });

  it("stays fast for hostile patterns and pages", () => {
    const stars = `/${"*a".repeat(250)}b`;
    const depths = `/${"**/a/".repeat(100)}b`;
    expect(matches(stars, `/${"a".repeat(2000)}`)).toBe(false);
    expect(matches(depths, `/${"a/".repeat(1000)}`)).toBe(false);
  });
});

describe("which patterns are valid", () => {
  it.each([
    "/",
    "/a",
    "/a/",
    "/a//b",
    "/**",
    "/a/**/b",
    "/a*b",
    "/*b*",
    "/*.html",
    "/caf%C3%A9",
    "/:x",
    "/a~b(c)",
    "/..a",
  ])("%s is valid", (glob) => {
    expect(PAGE_GLOB.test(glob)).toBe(true);
  });

  it.each([
    "",
    "a",
    "/a?b",
    "/a#b",
    "/a**",
    "/**a",
    "/***",
    "/{a,b}",
    "/[a]",
    "/a b",
    "/a\\b",
    "/a/../b",
    "/.",
    "/a/..",
    "https://shop.example/",
  ])("%s is refused", (glob) => {
    expect(PAGE_GLOB.test(glob)).toBe(false);
  });
});
