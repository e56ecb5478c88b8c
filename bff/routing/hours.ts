const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
export const MINUTES_A_DAY = 1440;

/** Minutes since local midnight. `to` is over 1440 where the range crosses midnight; such a range belongs to the day of `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** When support is open. */
export interface SupportHours {
  readonly timeZone: string;
  /** By `2026-12-24`, `12-24` (every year) or `thu`: the most specific entry decides a day. */
  readonly days: ReadonlyMap<string, readonly TimeRange[]>;
  readonly clock: WallClock;
}

export const WEEKDAYS: readonly string[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Whether support is open at `instant` (milliseconds since 1970), in the local time of the hours' time zone. */
export function isOpen(hours: SupportHours, instant: number): boolean {
  const { day, minute } = hours.clock(instant);
  return (
    rangesOn(hours, day).some(({ from, to }) => from <= minute && minute < to) ||
    rangesOn(hours, day - 1).some(({ to }) => minute + MINUTES_A_DAY < to)
  );
}

const DAYS_AHEAD = 31;
/** Longer than clocks are ever set forward or back. */
const NEAR_MS = 3 * 60 * MINUTE_MS;

/**
 * When support opens next, in ms since 1970, or closes next if it is open at `instant`. Undefined if it stays as it is
 * for 30 days.
 */
export function nextChange(hours: SupportHours, instant: number): number | undefined {
  const wasOpen = isOpen(hours, instant);
  // A range of the day before may end after midnight.
  const first = hours.clock(instant).day - 1;
  for (let day = first; day < first + DAYS_AHEAD; day += 1) {
    const changes = rangesOn(hours, day)
      .flatMap(({ from, to }) => [from, to])
      .flatMap((minute) => instantsOf(hours.clock, day * DAY_MS + minute * MINUTE_MS))
      .filter((change) => change > instant && isOpen(hours, change) !== wasOpen);
    if (changes.length > 0) return Math.min(...changes);
  }
  return undefined;
}

/**
 * The instants that may be a local time, given as if the zone were UTC. Where the clocks change, these are all minutes
 * from the one offset to the other: a repeated time comes twice, and a skipped one is over when the clocks change.
 */
function instantsOf(clock: WallClock, local: number): readonly number[] {
  const withOffsetAt = (instant: number) => {
    const { day, minute } = clock(instant);
    return local - (day * DAY_MS + minute * MINUTE_MS - instant);
  };
  const near = withOffsetAt(local);
  const [one, other] = [withOffsetAt(near - NEAR_MS), withOffsetAt(near + NEAR_MS)];
  const earliest = Math.min(one, other);
  const minutes = Math.abs(one - other) / MINUTE_MS;
  return Array.from({ length: minutes + 1 }, (_, minute) => earliest + minute * MINUTE_MS);
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
};

/** A clock for an IANA time zone. @throws RangeError for a zone that the runtime does not know */
export function createWallClock(timeZone: string): WallClock {
  // Swedish writes dates and times as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (instant) => {
    const local = Date.parse(`${format.format(instant).replace(" ", "T")}Z`);
    const day = Math.floor(local / DAY_MS);
    return { day, minute: (local - day * DAY_MS) / MINUTE_MS };
  };
}
