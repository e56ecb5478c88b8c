import { daysBetween } from "./days-between.ts";

/** Up to this age a message shows how long ago it was written. */
const HOUR_MS = 60 * 60_000;

const MINUTE_MS = 60_000;

/**
 * Days and times by the reader's own clock and language. A wrong clock shows wrong times, never a wrong order.
 * @param locale a language tag; without a valid one, the browser's language
 */
export function createCalendar(locale: string | undefined, now: () => number) {
  const known = knownLocale(locale);
  const time = new Intl.DateTimeFormat(known, { hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long" });
  const shortDay = new Intl.DateTimeFormat(known, { day: "numeric", month: "short" });
  const whole = new Intl.DateTimeFormat(known, { dateStyle: "full", timeStyle: "short" });
  const short = new Intl.DateTimeFormat(known, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(known, { numeric: "auto" });
  const ago = new Intl.RelativeTimeFormat(known, { numeric: "auto", style: "short" });
  const { locale: own } = time.resolvedOptions();
  return {
    /** The time of day, which does not go out of date. */
    timeOf: (at: string) => time.format(new Date(at)),
    /**
     * "5 min. ago" for the last hour, "Now" for the last minute; undefined for older times, or from a clock that is
     * ahead.
     */
    agoOf(at: string): string | undefined {
      const ms = now() - Date.parse(at);
      // Clocks differ a little, so a message that has just arrived may seem to come from the future.
      if (!(ms > -MINUTE_MS && ms < HOUR_MS)) return undefined;
      const minutes = Math.floor(ms / MINUTE_MS);
      return startUpper(minutes > 0 ? ago.format(-minutes, "minute") : ago.format(0, "second"), own);
    },
    /** The whole date with the time, for a tooltip. */
    momentOf: (at: string) => whole.format(new Date(at)),
    /** The date with the time, for a table or a sentence. */
    shortMomentOf: (at: string) => short.format(new Date(at)),
    /** The time today, the date before that. */
    timeOrDay: (at: string) =>
      (daysBetween(new Date(now()), new Date(at)) === 0 ? time : shortDay).format(new Date(at)),
    /** A key that all times of one day share. */
    dayOf: (at: string): string => new Date(at).toDateString(),
    /** "Today" and "Yesterday" in every language that the browser supports, the date for any other day. */
    dayName(at: string): string {
      const days = daysBetween(new Date(now()), new Date(at));
      return startUpper(
        days === 0 || days === -1 ? relative.format(days, "day") : day.format(new Date(at)),
        own,
      );
    },
  };
}

export type Calendar = ReturnType<typeof createCalendar>;

/** `Intl` formats such words for the middle of a sentence; here they start one. */
function startUpper(words: string, locale: string): string {
  const first = String.fromCodePoint(words.codePointAt(0) ?? 32);
  return first.toLocaleUpperCase(locale) + words.slice(first.length);
}

function knownLocale(locale: string | undefined): string | undefined {
  try {
    return locale && Intl.getCanonicalLocales(locale)[0];
  } catch {
    // Not a language tag, so the browser's own language applies.
    return undefined;
  }
}
