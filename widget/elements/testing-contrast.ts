import type { Rgb } from "../frame/accent.ts";

/**
 * APCA's lightness contrast of text on its background, from 0 to about 108 (APCA-W3 0.1.9, constants for sRGB). Unlike
 * WCAG's ratio it asks for more if the text is brighter than the background. Colours are 0 to 255 each.
 */
export function lightnessContrast(text: readonly number[], ground: readonly number[]): number {
  const luminance = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((part) => (part / 255) ** 2.4);
    const sum = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue;
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: the formula's own number
    return sum > 0.022 ? sum : sum + (0.022 - sum) ** 1.414;
  };
  const [front, back] = [luminance(text), luminance(ground)];
  const raw = back > front ? back ** 0.56 - front ** 0.57 : back ** 0.65 - front ** 0.62;
  const scaled = Math.abs(raw * 1.14);
  return scaled < 0.1 ? 0 : (scaled - 0.027) * 100;
}

/** `#rgb` or `#rrggbb` as 0 to 255 each; throws for any other text. */
export function parseHex(color: string): Rgb {
  const digits = /^#[0-9a-f]{3}$/i.test(color) ? color.replaceAll(/[^#]/g, "$&$&") : color;
  if (!/^#[0-9a-f]{6}$/i.test(digits)) throw new Error(`not a hex colour: ${color}`);
  const at = (index: number) => Number.parseInt(digits.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}
