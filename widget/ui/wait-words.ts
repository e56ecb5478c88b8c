import { daysBetween } from "../client/days-between.ts";

/**
 * A day and a time in the customer's own time zone: "today 9:00 AM", "Monday 9:00 AM", or with the date after a week.
 * @param locale a valid language tag
 */
export function whenOf(at: string, locale: string, now: number): string {
  const date = new Date(at);
  const days = daysBetween(new Date(now), date);
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  const say = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, parts).format(date);
  if (days > 6) return say({ weekday: "long", day: "numeric", month: "long", ...clock });
  if (days > 1) return say({ weekday: "long", ...clock });
  const day = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return `${day} ${say(clock)}`;
}
