import { MINUTES_A_DAY, type TimeRange } from "./hours.ts";
import { quote } from "./wording.ts";

const TIME = /^(\d{1,2}):([0-5]\d)-(\d{1,2}):([0-5]\d)$/;

/** What is wrong with a range of times, or nothing; goes on after the text itself. */
export function rangeFault(text: string): string | undefined {
  const range = readRange(text);
  if (range === undefined) return 'is not a range of times; write it as "09:00-17:30".';
  if (range.from === range.to) return 'is empty; the whole day is "00:00-24:00".';
  return undefined;
}

/** What is wrong with the ranges of one day together, or nothing. */
export function overlapFault(texts: readonly string[]): string | undefined {
  const ranges = texts
    .map((text) => ({ text, ...parseRange(text) }))
    .toSorted((one, other) => one.from - other.from);
  for (const [index, next] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before && next.from < before.to)
      return `holds ${quote(before.text)} and ${quote(next.text)}, which overlap.`;
  }
  return undefined;
}

/** The range of a text that `rangeFault` found right. An end that is not after its start is on the next day. */
export function parseRange(text: string): TimeRange {
  const { from, to } = readRange(text) ?? { from: 0, to: 0 };
  return { from, to: to <= from ? to + MINUTES_A_DAY : to };
}

function readRange(text: string): TimeRange | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = (TIME.exec(text) ?? []).map(Number);
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined) {
    return undefined;
  }
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  return from < MINUTES_A_DAY && to <= MINUTES_A_DAY ? { from, to } : undefined;
}
