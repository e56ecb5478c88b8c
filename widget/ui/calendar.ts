import type { Texts } from "../app/texts.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Days and times as the reader's own clock and language write them. A wrong clock shows wrong times, never a wrong order. */
export function createCalendar(locale: string | undefined, texts: Texts, now: () => number) {
  const known = knownLocale(locale);
  const time = new Intl.DateTimeFormat(known, { hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long" });
  const dayKey = (date: Date) => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
  // A long log asks for the same days again with each message.
  const days = new Map<string, string>();
  return {
    timeOf: (at: string) => time.format(new Date(at)),
    dayOf(at: string): string {
      const known = days.get(at);
      if (known) return known;
      const day = dayKey(new Date(at));
      days.set(at, day);
      return day;
    },
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
