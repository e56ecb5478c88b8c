// @vitest-environment node
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accentFrom, contrast, parseHex } from "./accent.ts";
import { lightnessContrast } from "./testing-contrast.ts";

const rgb = (color: string) => parseHex(color) ?? [0, 0, 0];
/** The surfaces of look.css that the accent stands on. */
const GROUNDS = { light: ["#ffffff", "#f7f6f2", "#efede7"], dark: ["#111718", "#1a2223", "#0c1112"] };

function expectReadable(color: string) {
  const accent = accentFrom(color);
  for (const scheme of ["light", "dark"] as const) {
    const { fill, on, text } = accent?.[scheme] ?? { fill: "", on: "", text: "" };
    expect(contrast(rgb(fill), rgb(on)), `${color} text on ${fill}`).toBeGreaterThanOrEqual(4.5);
    expect(lightnessContrast(rgb(on), rgb(fill)), `${color} ${on} on ${fill}`).toBeGreaterThanOrEqual(60);
    for (const ground of GROUNDS[scheme]) {
      expect(contrast(rgb(text), rgb(ground)), `${color} as text on ${ground}`).toBeGreaterThanOrEqual(4.5);
      expect(
        lightnessContrast(rgb(text), rgb(ground)),
        `${color}: ${text} on ${ground}`,
      ).toBeGreaterThanOrEqual(60);
      expect(contrast(rgb(fill), rgb(ground)), `${color} as area on ${ground}`).toBeGreaterThanOrEqual(3);
    }
  }
}

describe("the owner's accent", () => {
  it("LOOK1 keeps WCAG AA and 60 of APCA, whatever colour was picked", () => {
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

  it("is left as it is where it reads well", () => {
    expect(accentFrom("#0b5d5f")?.light).toEqual({ fill: "#0b5d5f", on: "#ffffff", text: "#0b5d5f" });
  });

  it("that is no hex colour is not taken: no other text reaches a style", () => {
    for (const color of [
      "",
      "red",
      "#12",
      "#12345",
      "url(https://c.example)",
      "#fff;x:y",
      "#ggg",
      "var(--x)",
    ]) {
      expect(accentFrom(color)).toBeUndefined();
    }
    expect(accentFrom(" #ABC ")?.light.on).toBeDefined();
  });

  it("control: contrast is measured as WCAG does", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.478, 2);
  });

  it("control: and as APCA does, by the examples of its own documentation", () => {
    expect(lightnessContrast([136, 136, 136], [255, 255, 255])).toBeCloseTo(63.06, 1);
    expect(lightnessContrast([255, 255, 255], [136, 136, 136])).toBeCloseTo(68.54, 1);
    expect(lightnessContrast([0, 0, 0], [170, 170, 170])).toBeCloseTo(58.15, 1);
    expect(lightnessContrast([170, 170, 170], [0, 0, 0])).toBeCloseTo(56.24, 1);
  });
});
