import * as z from "zod/mini";
import { createFaultList, type FaultList, type Parsed } from "./fault.ts";
import type { SupportHours, TimeRange } from "./hours.ts";
import { readShortHours } from "./hours-text.ts";
import { butIs, checkedBy, keyFaultsOf, mayHold, type Wording, type Wrong } from "./schema-fault.ts";
import { readConfigFile, readConfigJson } from "./source-text.ts";
import { overlapFault, parseRange, rangeFault } from "./time-range.ts";
import { zoneFault } from "./time-zone.ts";
import { createWallClock } from "./wall-clock.ts";
import { hint, joinWords, kindOf, quote } from "./wording.ts";

const EXAMPLE = "SUPPORT_HOURS='Mon-Fri 09:00-17:00 Europe/Berlin'";
const MAX_HOLIDAYS = 1000;

/** From Sunday on, as `Date.getUTCDay` counts. */
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

function holds(wrong: Wrong<string>): Wrong<string> {
  return (text) => {
    const fault = wrong(text);
    return fault === undefined ? undefined : `holds ${quote(text)}, which ${fault}`;
  };
}

const Ranges = z
  .array(
    z.string(mayHold("texts")).check(checkedBy(holds(rangeFault))),
    butIs('a list of times such as ["09:00-17:00"]'),
  )
  .check(checkedBy(overlapFault));
const Day = z.optional(Ranges);

const TimeZone = z.string(butIs('an IANA name such as "Europe/Berlin"')).check(
  checkedBy((name) => {
    const fault = zoneFault(name);
    return fault === undefined ? undefined : `is ${quote(name)}, which ${fault}`;
  }),
);

const HoursSchema = z.strictObject(
  {
    timeZone: TimeZone,
    week: z.strictObject(
      { mon: Day, tue: Day, wed: Day, thu: Day, fri: Day, sat: Day, sun: Day },
      butIs('an object such as {"mon": ["09:00-17:00"]}'),
    ),
    holidays: z.optional(z.array(z.unknown(), butIs('a list of dates such as ["2026-12-25"]'))),
  },
  butIs("an object"),
);

const HolidaySchema = z.strictObject({ date: z.string(butIs('a date such as "2026-12-25"')), hours: Ranges });

/** The known keys of each object. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": ["timeZone", "week", "holidays"],
  week: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
};

const WORDING: Wording = {
  missing: {
    timeZone: '"timeZone" is missing; give an IANA name such as "Europe/Berlin".',
    week: '"week" is missing; give the hours of each day, such as {"mon": ["09:00-17:00"]}.',
  },
  unknownKey: (unknown, inside) =>
    unknownKey(unknown, inside === "" ? "the hours" : quote(inside), KEYS[inside] ?? []),
};

const HOLIDAY_WORDING: Wording = {
  missing: {
    date: '"date" is missing; give a date such as "2026-12-24".',
    hours: '"hours" is missing; give the hours of the day, or write the date alone for a closed day.',
  },
  unknownKey: (unknown) => unknownKey(unknown, "a holiday", ["date", "hours"]),
};

function unknownKey(unknown: string, of: string, known: readonly string[]): string {
  return `${quote(unknown)} is not a key of ${of}${hint(unknown, known, `its keys are ${joinWords(known)}`)}`;
}

/**
 * Reads `SUPPORT_HOURS`: the short form, JSON as it stands, or the path of a `.json` file. Gives the hours, or every
 * fault at once.
 *
 * @param readFile a file's text; throws when it can't be read
 */
export function parseHours(source: string, readFile: (path: string) => string): Parsed<SupportHours> {
  const list = createFaultList("SUPPORT_HOURS", EXAMPLE);
  const raw = readRaw(source.trim(), readFile, list);
  if (raw === undefined) return { ok: false, faults: list.faults };
  const parsed = HoursSchema.safeParse(raw);
  for (const { key, fault } of keyFaultsOf(parsed.error?.issues ?? [], raw, WORDING)) {
    list.refuse(fault, key === undefined ? {} : { key });
  }
  const holidays = readHolidays(raw, list);
  if (!parsed.success || list.faults.length > 0) return { ok: false, faults: list.faults };
  const { timeZone } = parsed.data;
  const week = DAYS.map((day) => (parsed.data.week[day] ?? []).map(parseRange));
  if (![...week, ...holidays.values()].some((ranges) => ranges.length > 0)) {
    list.refuse('"week" holds no opening at all; give at least one day its hours.', { key: "week" });
    return { ok: false, faults: list.faults };
  }
  return { ok: true, value: { timeZone, week, holidays, clock: createWallClock(timeZone) } };
}

function readRaw(source: string, readFile: (path: string) => string, list: FaultList): unknown {
  if (/^[[{"]/.test(source)) return readConfigJson(source, list);
  if (/\.json$/i.test(source)) {
    const text = readConfigFile({ path: source, readFile, otherwise: "JSON", list });
    return text === undefined ? undefined : readConfigJson(text, list);
  }
  const short = readShortHours(source, (fault) => list.refuse(fault));
  return list.faults.length > 0 ? undefined : short;
}

/** Holidays are read one by one, so that a fault can name its entry. */
function readHolidays(raw: unknown, list: FaultList): ReadonlyMap<string, readonly TimeRange[]> {
  const holidays = new Map<string, readonly TimeRange[]>();
  const entries = typeof raw === "object" && raw !== null && "holidays" in raw ? raw.holidays : undefined;
  if (!Array.isArray(entries)) return holidays;
  const refuse = (fault: string) => list.refuse(fault, { key: "holidays" });
  if (entries.length > MAX_HOLIDAYS) {
    refuse(`"holidays" may hold at most ${MAX_HOLIDAYS} entries, but holds ${entries.length}.`);
    return holidays;
  }
  entries.forEach((entry: unknown, index) => {
    const holiday = readHoliday(entry, (fault) => refuse(`"holidays", entry ${index + 1}: ${fault}`));
    if (holiday === undefined) return;
    if (holidays.has(holiday.date))
      refuse(`"holidays", entry ${index + 1}: ${quote(holiday.date)} stands there twice.`);
    holidays.set(holiday.date, holiday.ranges);
  });
  return holidays;
}

function readHoliday(
  entry: unknown,
  refuse: (fault: string) => void,
): { date: string; ranges: readonly TimeRange[] } | undefined {
  if (typeof entry !== "string" && (typeof entry !== "object" || entry === null || Array.isArray(entry))) {
    refuse(
      `must be a date such as "2026-12-25" or {"date": "2026-12-24", "hours": ["09:00-12:00"]}, but it is ${kindOf(entry)}.`,
    );
    return undefined;
  }
  const value = typeof entry === "string" ? { date: entry, hours: [] } : entry;
  const parsed = HolidaySchema.safeParse(value);
  const faults = keyFaultsOf(parsed.error?.issues ?? [], value, HOLIDAY_WORDING);
  for (const { fault } of faults) refuse(fault);
  const date = "date" in value && typeof value.date === "string" ? value.date : undefined;
  if (date !== undefined && !isDate(date)) {
    refuse(`${quote(date)} is not a date; write "2026-12-25", or "12-25" for every year.`);
    return undefined;
  }
  return parsed.success ? { date: parsed.data.date, ranges: parsed.data.hours.map(parseRange) } : undefined;
}

/** `YYYY-MM-DD`, or `MM-DD` with 29 February allowed. */
function isDate(text: string): boolean {
  const full = /^\d{2}-\d{2}$/.test(text) ? `2024-${text}` : text;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(full)) return false;
  const date = new Date(`${full}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(full);
}
