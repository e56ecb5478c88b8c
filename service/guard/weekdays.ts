import { comparable, wordsIn } from "../agents/comparable-text.ts";
import { CLAIM_PHRASES } from "./phrases.ts";

/** A shorter name is also another word, such as "do" and "per", so it counts only as a whole clause. */
const MIN_NAME = 4;

/** Made at the first use, because opening the languages takes longer than judging many sentences. */
let pattern: RegExp | undefined;

/**
 * Whether words name a day of the week in one of the guarded languages: "Sunday , closed".
 * @param words in the form of `readingsOf`
 */
export function namesWeekday(words: string): boolean {
  pattern ??= new RegExp(Object.keys(CLAIM_PHRASES).flatMap(namesOf).map(patternOf).join("|"));
  return pattern.test(words);
}

/** The names of the days in one language, long and short. */
function namesOf(language: string): string[] {
  const formats = (["long", "short"] as const).map(
    (weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" }),
  );
  const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 4 + day)));
  return week.flatMap((day) => formats.map((format) => wordsIn(comparable(format.format(day)))));
}

function patternOf(name: string): string {
  if (name.length < MIN_NAME) return `(?<=^ ?|, )${name}(?= ,)`;
  return /^[a-z]/.test(name) ? `(?<=^| )${name}(?= |$)` : name;
}
