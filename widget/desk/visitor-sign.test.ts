import { describe, expect, it } from "vitest";
import { contrast, type Rgb } from "../frame/accent.ts";
import { SIGN_TONES, signColors, visitorSign } from "./visitor-sign.ts";

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function rgbOf(hue: number, [saturation, lightness]: readonly [number, number]): Rgb {
  const [s, l] = [saturation / 100, lightness / 100];
  const at = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [at(0), at(8), at(4)];
}

const SIGNS = Array.from({ length: 2000 }, (_, index) => visitorSign(`anon_${index.toString(36)}`));

describe("DESK13 the sign of a nameless visitor", () => {
  it("is the same for the same id, and among a thousand others few share one", () => {
    expect(visitorSign("anon_1")).toEqual(visitorSign("anon_1"));
    expect(SIGNS.every(({ mark }) => /^[B-Z][2-9]$/.test(mark))).toBe(true);
    expect(new Set(SIGNS.map(({ mark }) => mark)).size).toBe(160);
    expect(new Set(SIGNS.map(({ mark, hue }) => `${mark} ${hue}`)).size).toBeGreaterThan(1000);
  });

  it("is legible in each hue, light and dark, by WCAG AA", () => {
    const hues = [...new Set(SIGNS.map(({ hue }) => hue))];
    expect(hues).toHaveLength(12);
    for (const hue of hues) {
      for (const { ink, ground } of Object.values(SIGN_TONES))
        expect(contrast(rgbOf(hue, ink), rgbOf(hue, ground)), `hue ${hue}`).toBeGreaterThanOrEqual(4.5);
      expect(signColors(hue)["--sign-ink-light"]).toBe(`hsl(${hue} 60% 24%)`);
    }
  });
});
