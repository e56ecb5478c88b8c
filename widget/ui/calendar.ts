import type { Texts } from "../app/texts.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Days and times as the reader's own clock and language write them. A wrong clock shows wrong times, never a wrong order. */
export function createCalendar(locale: string | undefined, texts: Texts, now: () => number) {
  const known = knownLocale(locale);
  const time = new Intl.DateTimeFormat(known, { hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long" });
  const dayKey = (date: Date) => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
  return {
    timeOf: (at: string) => time.format(new Date(at)),
    dayOf: (at: string) => dayKey(new Date(at)),
    dayName(at: string): string {
      const key = dayKey(new Date(at));
      if (key === dayKey(new Date(now()))) return texts.today;
      return key === dayKey(new Date(now() - DAY_MS)) ? texts.yesterday : day.format(new Date(at));
    },
  };
}

function knownLocale(locale: string | undefined): string | undefined {
  try {
    return locale && Intl.getCanonicalLocales(locale)[0];
  } catch {
    // Not a language tag: the browser's own language then.
    return undefined;
  }
}
