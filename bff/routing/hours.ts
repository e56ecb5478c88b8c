const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES_A_DAY = 1440;

/** How far ahead an opening is looked for. */
const HORIZON_DAYS = 366;

/** Minutes since local midnight. `to` is over 1440 where the range crosses midnight; it belongs to the day of `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** When support is open. */
export interface SupportHours {
  readonly timeZone: string;
  /** By `2026-12-24`, `12-24` (every year) or `thu`: the first of these that is there decides a day. */
  readonly days: ReadonlyMap<string, readonly TimeRange[]>;
  readonly clock: WallClock;
}

export const WEEKDAYS: readonly string[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Whether support is open at `instant` (milliseconds since 1970), by the clock on the wall in the hours' time zone. */
export function isOpen(hours: SupportHours, instant: number): boolean {
  const { day, minute } = hours.clock(instant);
  return (
    rangesOn(hours, day).some(({ from, to }) => from <= minute && minute < to) ||
    rangesOn(hours, day - 1).some(({ to }) => minute + MINUTES_A_DAY < to)
  );
}

/**
 * The first instant from `instant` on at which support is open, in milliseconds since 1970: `instant` itself while it is
 * open. Null where nothing opens within a year.
 */
export function nextOpening(hours: SupportHours, instant: number): number | null {
  if (isOpen(hours, instant)) return instant;
  const today = hours.clock(instant).day;
  for (let day = today; day <= today + HORIZON_DAYS; day += 1) {
    const openings = candidatesOn(hours, day).filter((at) => at >= instant && isOpen(hours, at));
    if (openings.length > 0) return Math.min(...openings);
  }
  return null;
}

/** Instants of a local day that may open: the starts of its ranges, and every minute of a day on which the clocks change. */
function candidatesOn(hours: SupportHours, day: number): readonly number[] {
  const midnight = day * DAY_MS;
  const before = hours.clock(midnight - DAY_MS).offset;
  const after = hours.clock(midnight + 2 * DAY_MS).offset;
  if (before === after) return rangesOn(hours, day).map(({ from }) => midnight + from * MINUTE_MS - before);
  const from = midnight - Math.max(before, after);
  return Array.from({ length: 2 * MINUTES_A_DAY }, (_, minute) => from + minute * MINUTE_MS);
}

function rangesOn({ days }: SupportHours, day: number): readonly TimeRange[] {
  const date = new Date(day * DAY_MS);
  const name = date.toISOString().slice(0, 10);
  return days.get(name) ?? days.get(name.slice(5)) ?? days.get(WEEKDAYS[date.getUTCDay()] ?? "") ?? [];
}

/** Local time at an instant (milliseconds since 1970). */
export type WallClock = (instant: number) => {
  /** Days since 1970-01-01 of the local date. */
  readonly day: number;
  /** Whole minutes since local midnight. */
  readonly minute: number;
  /** Milliseconds to add to UTC for local time. */
  readonly offset: number;
};

/**
 * A clock for an IANA time zone, by the zone rules of the runtime.
 * @throws RangeError for a zone that the runtime does not know
 */
export function createWallClock(timeZone: string): WallClock {
  // Swedish writes dates and times as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (instant) => {
    const local = Date.parse(`${format.format(instant).replace(" ", "T")}Z`);
    const day = Math.floor(local / DAY_MS);
    const minute = (local - day * DAY_MS) / MINUTE_MS;
    return { day, minute, offset: local - Math.floor(instant / MINUTE_MS) * MINUTE_MS };
  };
}
