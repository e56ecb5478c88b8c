/** Without vowels no sign is a word; without 0 and 1 nobody takes a letter for a digit. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const DIGITS = "23456789";
/** Degrees between the hues: as many as people still tell apart. */
const HUE_STEP = 30;
const HUES = 360 / HUE_STEP;

/** The sign that distinguishes a nameless visitor: the same for the same id, and never initials of a name. */
export interface VisitorSign {
  /** A letter and a digit, such as "K7". */
  readonly mark: string;
  /** Degrees. It only helps: the mark says the same. */
  readonly hue: number;
}

/** The sign of a visitor, from the id in the site's browser storage. */
export function visitorSign(externalId: string): VisitorSign {
  const hash = hashOf(externalId);
  const letter = LETTERS[hash % LETTERS.length];
  const rest = Math.floor(hash / LETTERS.length);
  const digit = DIGITS[rest % DIGITS.length];
  return { mark: `${letter}${digit}`, hue: (Math.floor(rest / DIGITS.length) % HUES) * HUE_STEP };
}

/** Text and ground of a sign: saturation and lightness, in per cent. */
export const SIGN_TONES = {
  light: { ink: [60, 24], ground: [50, 90] },
  dark: { ink: [55, 85], ground: [35, 20] },
} as const;

/** The colours of a sign as custom properties, for light and for dark. */
export function signColors(hue: number): Readonly<Record<`--sign-${string}`, string>> {
  const { light, dark } = SIGN_TONES;
  const color = ([saturation, lightness]: readonly [number, number]) =>
    `hsl(${hue} ${saturation}% ${lightness}%)`;
  return {
    "--sign-ink-light": color(light.ink),
    "--sign-ink-dark": color(dark.ink),
    "--sign-ground-light": color(light.ground),
    "--sign-ground-dark": color(dark.ground),
  };
}

/** FNV-1a with a last mixing, because ids differ in few characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
