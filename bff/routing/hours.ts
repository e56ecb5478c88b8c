import { DAY_MS, instantsOf, type WallClock } from "./wall-clock.ts";

/** Minutes since local midnight. `to` is over 1440 where the range crosses midnight; it belongs to the day of `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** When support is open, ready to be asked. */
export interface SupportHours {
  readonly timeZone: string;
  /** Seven days from Sunday on, as `Date.getUTCDay` counts. */
  readonly week: readonly (readonly TimeRange[])[];
  /** By `YYYY-MM-DD`, or by `MM-DD` for every year; the full date goes first. They replace the day's hours. */
  readonly holidays: ReadonlyMap<string, readonly TimeRange[]>;
  readonly clock: WallClock;
}

export const MINUTES_A_DAY = 1440;

/** A holiday of 29 February that is the only opening comes back after eight years at most. */
const HORIZON_DAYS = 8 * 366 + 2;

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
 * open. Null where nothing opens any more.
 */
export function nextOpening(hours: SupportHours, instant: number): number | null {
  if (isOpen(hours, instant)) return instant;
  const { clock } = hours;
  const today = clock(instant).day;
  for (let day = today; day <= today + HORIZON_DAYS; day += 1) {
    const openings = [...rangesOn(hours, day), ...rangesOn(hours, day - 1).filter(isOverMidnight)]
      .flatMap(({ from }) => instantsOf(clock, day, from))
      .filter((opening) => opening >= instant && clock(opening).day === day && isOpen(hours, opening));
    if (openings.length > 0) return Math.min(...openings);
  }
  return null;
}

/** Such a range counts on the next day too: a change of the clock there may jump into it. */
function isOverMidnight({ to }: TimeRange): boolean {
  return to > MINUTES_A_DAY;
}

/** Whether there is any opening at all. */
export function canBeOpen({ week, holidays }: SupportHours): boolean {
  return (
    week.some((ranges) => ranges.length > 0) || [...holidays.values()].some((ranges) => ranges.length > 0)
  );
}

/** Whether there may be an instant without an opening; any holiday counts as one. */
export function canBeClosed({ week, holidays }: SupportHours): boolean {
  if (holidays.size > 0) return true;
  const open = new Uint8Array(7 * MINUTES_A_DAY);
  week.forEach((ranges, day) => {
    for (const { from, to } of ranges) {
      for (let minute = from; minute < to; minute += 1)
        open[(day * MINUTES_A_DAY + minute) % open.length] = 1;
    }
  });
  return open.includes(0);
}

function rangesOn({ week, holidays }: SupportHours, day: number): readonly TimeRange[] {
  const date = new Date(day * DAY_MS);
  const name = date.toISOString().slice(0, 10);
  return holidays.get(name) ?? holidays.get(name.slice(5)) ?? week[date.getUTCDay()] ?? [];
}
