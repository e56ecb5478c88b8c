import { asciiDigits } from "../../../shared/ascii-digits.ts";

const NUMBER = /\d+(?:[.,'’\u00a0\u202f]\d+)*/g;

/** The numbers of a text in one form: without separators of thousands, without zeros that say nothing. */
export function figuresOf(text: string): string[] {
  return (asciiDigits(text).match(NUMBER) ?? []).map((figure) =>
    figure
      .replace(/[.,]0{1,2}$/, "")
      .replace(/[^\d]/g, "")
      .replace(/^0+(?=\d)/, ""),
  );
}
