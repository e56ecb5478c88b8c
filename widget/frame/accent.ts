/** An opaque sRGB colour, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Colours derived from the owner's accent for one scheme: a filled area, the text on it, and the accent as text. */
export interface Accent {
  readonly fill: string;
  readonly on: string;
  readonly text: string;
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const INK: Rgb = [13, 20, 21];

/** The surfaces of look.css below the accent; text contrast is hardest to reach on the sunken ones. */
const SURFACES = { light: [239, 237, 231], dark: [26, 34, 35] } as const satisfies Record<string, Rgb>;

const AREA_CONTRAST = 3;
/** WCAG AA asks for 4.5. Bright text on dark needs more, because the formula overrates its legibility. */
const TEXT_CONTRAST = { light: 4.5, dark: 8 } as const;
const WHITE_CONTRAST = 4.5;
const INK_CONTRAST = 8.6;

/**
 * Returns the accent for both schemes, as close to the owner's colour as legibility allows: areas reach 3 to 1; text
 * reaches WCAG AA and a lightness contrast of 60 by APCA, whose formula is in `widget/elements/testing-contrast.ts`.
 */
export function accentFrom(color: Rgb): { light: Accent; dark: Accent } {
  return { light: accentFor(color, "light", BLACK), dark: accentFor(color, "dark", WHITE) };
}

function accentFor(color: Rgb, scheme: "light" | "dark", towards: Rgb): Accent {
  const surface = SURFACES[scheme];
  const area = shiftUntil(color, towards, (shade) => contrast(shade, surface) >= AREA_CONTRAST);
  const isBright = contrast(area, INK) >= INK_CONTRAST;
  const fill = isBright ? area : shiftUntil(area, BLACK, (shade) => contrast(shade, WHITE) >= WHITE_CONTRAST);
  const text = shiftUntil(color, towards, (shade) => contrast(shade, surface) >= TEXT_CONTRAST[scheme]);
  return { fill: hex(fill), on: hex(isBright ? INK : WHITE), text: hex(text) };
}

function shiftUntil(color: Rgb, towards: Rgb, isGood: (shade: Rgb) => boolean): Rgb {
  for (let step = 0; step < 50; step += 1) {
    const shade = mix(color, towards, step / 50);
    if (isGood(shade)) return shade;
  }
  return towards;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [at(0), at(1), at(2)];
}

/** WCAG 2.2 contrast ratio, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
