// @vitest-environment node
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrast } from "../frame/accent.ts";
import { lightnessContrast, parseHex } from "./testing-contrast.ts";

const css = readFileSync(new URL("look.css", import.meta.url), "utf8");

/** The colours of a token, light and dark. */
function pairOf(name: string): readonly [light: string, dark: string] {
  const value = new RegExp(`--${name}: (.*);`).exec(css)?.[1] ?? "";
  const [light = "", dark = ""] = value.match(/#[0-9a-f]{3,6}/g) ?? [];
  return [light, dark];
}

const rgb = parseHex;

/** The background of each text, and the APCA contrast that it needs: more for reading text than for labels. */
const PAIRS = [
  ["ink", ["paper", "surface", "surface-sunken"], 90],
  ["ink-soft", ["paper", "surface", "surface-sunken"], 60],
  ["ink-faint", ["paper", "surface"], 60],
  ["danger", ["paper", "surface", "danger-soft"], 60],
  ["warn", ["paper", "surface", "warn-soft"], 60],
  ["human", ["human-soft"], 60],
  ["accent-text", ["paper", "surface", "surface-sunken"], 60],
] as const;

describe("the colours of the look", () => {
  for (const [text, grounds, needed] of PAIRS) {
    it(`LOOK1 ${text} is legible on ${grounds.join(", ")}, by WCAG AA and by APCA`, () => {
      for (const scheme of [0, 1] as const) {
        for (const ground of grounds) {
          const [front, back] = [rgb(pairOf(text)[scheme]), rgb(pairOf(ground)[scheme])];
          const what = `${text} on ${ground}, ${scheme ? "dark" : "light"}`;
          expect(contrast(front, back), what).toBeGreaterThanOrEqual(4.5);
          expect(lightnessContrast(front, back), what).toBeGreaterThanOrEqual(needed);
        }
      }
    });
  }

  it("LOOK1 the button that deletes is legible in its colour", () => {
    for (const scheme of [0, 1] as const) {
      const [front, back] = [rgb(pairOf("surface")[scheme]), rgb(pairOf("danger")[scheme])];
      expect(contrast(front, back)).toBeGreaterThanOrEqual(4.5);
      expect(lightnessContrast(front, back)).toBeGreaterThanOrEqual(60);
    }
  });

  it("control: a missing token has no colours", () => {
    expect(pairOf("no-such-token")).toEqual(["", ""]);
    expect(pairOf("ink")).toEqual(["#172122", "#edf2f0"]);
  });
});
