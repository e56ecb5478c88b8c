import { asciiDigits } from "../../../shared/ascii-digits.ts";

const NUMBER = /\d+(?:[.,'’\u00a0\u202f]\d+)*/g;

/** The numbers of a text in one form: 4,5 and 4.50 as "4.5", 1.200 and 1 200 as "1200". */
export function figuresOf(text: string): string[] {
  return (asciiDigits(text).match(NUMBER) ?? []).map(plainFigure);
}

function plainFigure(figure: string): string {
  const [, before = "", after = ""] = /^(.*?)(?:[.,](\d+))?$/.exec(figure) ?? [];
  // Three digits after the last mark are thousands, unless nothing stands before it.
  const isFraction = after.length !== 3 || /^0+$/.test(before);
  const whole = (isFraction ? before : figure).replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const fraction = isFraction ? after.replace(/0+$/, "") : "";
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
