import { createWallClock, MINUTES_A_DAY, type SupportHours, type TimeRange, WEEKDAYS } from "./hours.ts";

const TIMES = /^(\d{1,2}):([0-5]\d)-(\d{1,2}):([0-5]\d)$/;

/**
 * Reads `Mon-Thu 09:00-12:00 13:00-17:30; Fri 09:00-12:00; 12-25 closed; Europe/Berlin`: parts separated by semicolons or
 * line breaks, each of days and their times, and the time zone as the last word. `refuse` receives every fault as a
 * sentence; with one, the result must not be used.
 */
export function parseHours(text: string, refuse: (fault: string) => void): SupportHours {
  const parts = text.split(/[;\n]/).map((part) => part.split(/[\s]+/).filter(Boolean));
  const timeZone = parts.findLast((words) => words.length > 0)?.pop() ?? "";
  if (!isTimeZone(timeZone)) {
    refuse(`must end with an IANA time zone such as Europe/Berlin or UTC, but ends with ${quote(timeZone)}.`);
  }
  const days = new Map<string, readonly TimeRange[]>();
  for (const [listed, ...times] of parts) {
    if (listed === undefined) continue;
    const ranges = parseTimes(listed, times, refuse);
    for (const day of parseDays(listed, refuse)) {
      if (days.has(day)) refuse(`names ${quote(day)} twice; write all its times in one part.`);
      days.set(day, ranges);
    }
  }
  return { timeZone, days, clock: createWallClock(isTimeZone(timeZone) ? timeZone : "UTC") };
}

/** Only names with a region, because the runtime takes `BST` for Dhaka and `EST` for a zone without summer time. */
function isTimeZone(name: string): boolean {
  if (name !== "UTC" && !name.includes("/")) return false;
  try {
    return createWallClock(name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function parseDays(text: string, refuse: (fault: string) => void): readonly string[] {
  return text
    .toLowerCase()
    .split(",")
    .flatMap((piece): readonly string[] => {
      if (isDate(piece)) return [piece];
      const [from, to = from, ...rest] = piece.split("-").map((name) => WEEKDAYS.indexOf(name));
      if (from === undefined || to === undefined || from < 0 || to < 0 || rest.length > 0) {
        refuse(
          `holds ${quote(piece)}, which is not a day; write Mon, Mon-Fri, Sat,Sun, 12-25 or 2026-12-25.`,
        );
        return [];
      }
      return Array.from(
        { length: ((to - from + 7) % 7) + 1 },
        (_, step) => WEEKDAYS[(from + step) % 7] ?? "",
      );
    });
}

/** `YYYY-MM-DD`, or `MM-DD` with 29 February allowed. */
function isDate(text: string): boolean {
  const full = text.length === 5 ? `2024-${text}` : text;
  const time = Date.parse(`${full}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(full) && new Date(time || 0).toISOString().startsWith(full);
}

function parseTimes(
  days: string,
  words: readonly string[],
  refuse: (fault: string) => void,
): readonly TimeRange[] {
  const times = words.flatMap((word) => word.split(",")).filter(Boolean);
  if (times.length === 1 && times[0]?.toLowerCase() === "closed") return [];
  if (times.length === 0)
    refuse(`gives no time for ${quote(days)}; write "${days} 09:00-17:00" or "${days} closed".`);
  return times.flatMap((text) => {
    const [, fromHour = 99, fromMinute = 0, toHour = 99, toMinute = 0] = (TIMES.exec(text) ?? []).map(Number);
    const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
    if (from < MINUTES_A_DAY && to <= MINUTES_A_DAY && from !== to) {
      // An end before the start is on the next day.
      return [{ from, to: to < from ? to + MINUTES_A_DAY : to }];
    }
    refuse(
      `holds ${quote(text)}, which is not a range of times; write it as 09:00-17:30, the whole day as 00:00-24:00.`,
    );
    return [];
  });
}

function quote(text: string): string {
  return JSON.stringify(text);
}
