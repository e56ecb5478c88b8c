/**
 * APCA's lightness contrast of text on its ground, from 0 to about 108 (APCA-W3 0.1.9, constants for sRGB): unlike the
 * ratio of WCAG it knows that bright on dark needs more than dark on bright. Colours are 0 to 255 each.
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
