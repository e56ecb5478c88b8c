/** Up to this age a message shows how long ago it was written. */
const HOUR_MS = 60 * 60_000;

const MINUTE_MS = 60_000;

/** Days and times as the reader's own clock and language write them. A wrong clock shows wrong times, never a wrong order. */
export function createCalendar(locale: string | undefined, now: () => number) {
  const known = knownLocale(locale);
  const time = new Intl.DateTimeFormat(known, { hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long" });
  const whole = new Intl.DateTimeFormat(known, { dateStyle: "full", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(known, { numeric: "auto" });
  const ago = new Intl.RelativeTimeFormat(known, { numeric: "auto", style: "short" });
  const { locale: own } = time.resolvedOptions();
  return {
    /** The time on the clock, which stays true. */
    timeOf: (at: string) => time.format(new Date(at)),
    /** "5 min. ago" for the last hour, "Now" for the last minute; nothing for what is older, or of a clock that is ahead. */
    agoOf(at: string): string | undefined {
      const ms = now() - Date.parse(at);
      // Two clocks differ by a little: what has just come is no message of the future.
      if (!(ms > -MINUTE_MS && ms < HOUR_MS)) return undefined;
      const minutes = Math.floor(ms / MINUTE_MS);
      return startUpper(minutes > 0 ? ago.format(-minutes, "minute") : ago.format(0, "second"), own);
    },
    /** Day and time, for who asks for it. */
    momentOf: (at: string) => whole.format(new Date(at)),
    /** A key that two moments of one day share. */
    dayOf: (at: string): string => new Date(at).toDateString(),
    /** "Today" and "Yesterday" in every language that the browser has, the date for any other day. */
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

/** By the days of the calendar, which a change of the clocks makes longer or shorter than 24 hours. */
function daysBetween(from: Date, to: Date): number {
  const noon = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((noon(to) - noon(from)) / 86_400_000);
}

/** `Intl` writes such words as they stand in the middle of a sentence; here they stand by themselves. */
function startUpper(words: string, locale: string): string {
  const first = String.fromCodePoint(words.codePointAt(0) ?? 32);
  return first.toLocaleUpperCase(locale) + words.slice(first.length);
}

function knownLocale(locale: string | undefined): string | undefined {
  try {
    return locale && Intl.getCanonicalLocales(locale)[0];
  } catch {
    // Not a language tag: the browser's own language then.
    return undefined;
  }
}
