// @vitest-environment node
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lightnessContrast, parseHex } from "../elements/testing-contrast.ts";
import { accentFrom, contrast } from "./accent.ts";

/** The surfaces of look.css below the accent. */
const GROUNDS = { light: ["#ffffff", "#f7f6f2", "#efede7"], dark: ["#111718", "#1a2223", "#0c1112"] };

function expectReadable(color: string) {
  const accent = accentFrom(parseHex(color));
  for (const scheme of ["light", "dark"] as const) {
    const { fill, on, text } = accent[scheme];
    expect(contrast(parseHex(fill), parseHex(on)), `${color} text on ${fill}`).toBeGreaterThanOrEqual(4.5);
    expect(
      lightnessContrast(parseHex(on), parseHex(fill)),
      `${color} ${on} on ${fill}`,
    ).toBeGreaterThanOrEqual(60);
    for (const ground of GROUNDS[scheme]) {
      expect(
        contrast(parseHex(text), parseHex(ground)),
        `${color} as text on ${ground}`,
      ).toBeGreaterThanOrEqual(4.5);
      expect(
        lightnessContrast(parseHex(text), parseHex(ground)),
        `${color}: ${text} on ${ground}`,
      ).toBeGreaterThanOrEqual(60);
      expect(
        contrast(parseHex(fill), parseHex(ground)),
        `${color} as area on ${ground}`,
      ).toBeGreaterThanOrEqual(3);
    }
  }
}

describe("the owner's accent", () => {
  it("LOOK1 every accent reaches WCAG AA and 60 of APCA", () => {
    for (const color of ["#fff", "#000", "#ffff00", "#777777", "#0b5d5f", "#ff5a5f", "#00ff88", "#7f7fff"]) {
      expectReadable(color);
    }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) =>
        expectReadable(`#${value.toString(16).padStart(6, "0")}`),
      ),
      { numRuns: 2_000 },
    );
  });

  it("a legible accent is not changed", () => {
    expect(accentFrom(parseHex("#0b5d5f")).light).toEqual({
      fill: "#0b5d5f",
      on: "#ffffff",
      text: "#0b5d5f",
    });
  });

  it("control: contrast is measured as WCAG does", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.478, 2);
  });

  it("control: contrast is measured as APCA does, by the examples of its documentation", () => {
    expect(lightnessContrast([136, 136, 136], [255, 255, 255])).toBeCloseTo(63.06, 1);
    expect(lightnessContrast([255, 255, 255], [136, 136, 136])).toBeCloseTo(68.54, 1);
    expect(lightnessContrast([0, 0, 0], [170, 170, 170])).toBeCloseTo(58.15, 1);
    expect(lightnessContrast([170, 170, 170], [0, 0, 0])).toBeCloseTo(56.24, 1);
  });
});
