import { overlapFault, rangeFault } from "./time-range.ts";
import { zoneFault } from "./time-zone.ts";
import { quote } from "./wording.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** What the short form says, in the shape of the JSON form. */
export interface ShortHours {
  readonly timeZone: string;
  readonly week: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `Mon-Fri 09:00-12:00 13:00-17:30; Sat 10:00-14:00; Europe/Berlin`: parts divided by semicolons, each of days and
 * ranges of times, and the time zone as the last word. `refuse` gets every fault; with one, the result is not to be used.
 */
export function readShortHours(text: string, refuse: (fault: string) => void): ShortHours {
  const parts = text.split(";").map((part) => part.trim().split(/\s+/).filter(Boolean));
  const timeZone = takeTimeZone(parts);
  const week: Record<string, readonly string[]> = {};
  for (const [days, ...times] of parts) {
    if (days === undefined) continue;
    const names = readDays(days);
    if (names === undefined) {
      refuse(`holds ${quote(days)}, which is not a day or a range of days; write Mon, Mon-Fri or Sat,Sun.`);
    }
    const ranges = times.flatMap((time) => time.split(",")).filter(Boolean);
    checkRanges(days, ranges, refuse);
    for (const name of names ?? []) {
      if (week[name]) refuse(`names ${quote(name)} twice; write all its times in one part.`);
      week[name] = ranges;
    }
  }
  if (timeZone === undefined) refuse('has no time zone at its end; write one such as "Europe/Berlin".');
  const zone = timeZone === undefined ? undefined : zoneFault(timeZone);
  if (zone !== undefined) refuse(`ends with ${quote(timeZone)}, which ${zone}`);
  return { timeZone: timeZone ?? "", week };
}

function checkRanges(days: string, ranges: readonly string[], refuse: (fault: string) => void): void {
  if (ranges.length === 0) refuse(`gives no time for ${quote(days)}; write it as "${days} 09:00-17:00".`);
  const faults = ranges.flatMap((range) => {
    const fault = rangeFault(range);
    return fault === undefined ? [] : [`holds ${quote(range)}, which ${fault}`];
  });
  const overlap = faults.length === 0 ? overlapFault(ranges) : undefined;
  for (const fault of overlap === undefined ? faults : [overlap]) refuse(fault);
}

/** The last word, unless it reads as days or times: then there is none. */
function takeTimeZone(parts: readonly string[][]): string | undefined {
  const last = parts.findLast((words) => words.length > 0);
  const word = last?.at(-1);
  if (last === undefined || word === undefined || readDays(word) || /^\d/.test(word)) return undefined;
  last.pop();
  return word;
}

function readDays(text: string): readonly string[] | undefined {
  const names: string[] = [];
  for (const piece of text.toLowerCase().split(",")) {
    const [from = "", to = from, ...rest] = piece.split("-");
    const [first, last] = [DAYS.indexOf(from), DAYS.indexOf(to)];
    if (first < 0 || last < 0 || rest.length > 0) return undefined;
    const count = ((last - first + 7) % 7) + 1;
    for (let step = 0; step < count; step += 1) names.push(DAYS[(first + step) % 7] ?? "");
  }
  return names;
}
