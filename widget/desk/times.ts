import { texts } from "./texts.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const shortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** How long something has lasted, in its largest unit: "under a minute", "4 min", "3 h", "2 days". `now` in milliseconds. */
export function durationSince(instant: string, now: number): string {
  // The service's clock and this machine's may differ by a little: never a negative time.
  const ms = Math.max(0, now - Date.parse(instant));
  if (ms < MINUTE_MS) return texts.duration.short;
  if (ms < HOUR_MS) return texts.duration.minutes(Math.floor(ms / MINUTE_MS));
  if (ms < 2 * DAY_MS) return texts.duration.hours(Math.floor(ms / HOUR_MS));
  return texts.duration.days(Math.floor(ms / DAY_MS));
}

/** Time of day today, the date before that. */
export function timeOrDay(instant: string, now: number): string {
  return isSameDay(instant, new Date(now).toISOString())
    ? timeOfDay(instant)
    : shortDay.format(Date.parse(instant));
}

export function timeOfDay(instant: string): string {
  return clock.format(Date.parse(instant));
}

/** "Today", "Yesterday", or the day's name and date. */
export function dayName(instant: string, now: number): string {
  if (isSameDay(instant, new Date(now).toISOString())) return texts.today;
  if (isSameDay(instant, new Date(now - DAY_MS).toISOString())) return texts.yesterday;
  return day.format(Date.parse(instant));
}

export function dateAndTime(instant: string): string {
  return full.format(Date.parse(instant));
}

/** Whether both fall on one day where the reader is. */
export function isSameDay(a: string, b: string): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
