/** Milliseconds of a day without a clock change. */
export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What the clock on the wall shows at an instant. */
export interface WallTime {
  /** Days since 1970-01-01 of the local date. */
  readonly day: number;
  /** Whole minutes since local midnight, by the hands of the clock. */
  readonly minute: number;
  /** Milliseconds to add to UTC for local time. */
  readonly offset: number;
}

/** A clock of one time zone; takes milliseconds since 1970. */
export type WallClock = (instant: number) => WallTime;

/**
 * A clock for an IANA time zone, by the zone rules that the runtime carries.
 * @throws RangeError for a zone that the runtime does not know
 */
export function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (instant) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    const midnight = Date.UTC(year, month - 1, day);
    const local = midnight + (hour * 60 + minute) * MINUTE_MS + second * 1000;
    return {
      day: midnight / DAY_MS,
      minute: hour * 60 + minute,
      offset: local - Math.floor(instant / 1000) * 1000,
    };
  };
}

/**
 * The instants at which the hands show `minute` of `day`: none in the hour that a change leaves out, two in the hour that
 * it repeats. Also gives the instant of a change on that day, because a clock that jumps may jump into an opening.
 */
export function instantsOf(clock: WallClock, day: number, minute: number): readonly number[] {
  const asUtc = day * DAY_MS + minute * MINUTE_MS;
  const early = clock(asUtc - DAY_MS).offset;
  const late = clock(asUtc + DAY_MS).offset;
  if (early === late) return [asUtc - early];
  return [asUtc - early, asUtc - late, changeBetween(clock, asUtc - DAY_MS, asUtc + DAY_MS)];
}

/** The first instant of the new offset, to the millisecond. */
function changeBetween(clock: WallClock, from: number, to: number): number {
  const before = clock(from).offset;
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (clock(middle).offset === before) low = middle;
    else high = middle;
  }
  return high;
}
