import { en } from "./locales/en.ts";

/** One text with `{placeholders}` for values, or such texts for each plural category of the language. */
export type Phrase =
  | string
  | ({ readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string });

type WordsOf<P> = P extends { readonly other: infer W } ? W : P;
type PlacesOf<W> = W extends `${string}{${infer Place}}${infer Rest}` ? [Place, ...PlacesOf<Rest>] : [];
type ValuesFor<Places> = { [I in keyof Places]: Places[I] extends "count" ? number : string };
type Shown<P> =
  PlacesOf<WordsOf<P>> extends []
    ? string
    : (...values: ValuesFor<PlacesOf<WordsOf<P>>> & readonly unknown[]) => string;

/** Each text by its key: a string, or if English has placeholders a function of their values, in English order. */
export type Texts = { readonly [K in keyof typeof en]: Shown<(typeof en)[K]> };

const PLACE = /\{(\w+)\}/g;

function placesOf(phrase: Phrase): string[] {
  const words = typeof phrase === "string" ? phrase : phrase.other;
  return [...new Set(Array.from(words.matchAll(PLACE), ([, place = ""]) => place))];
}

/** Whether it can replace the text `english`: same kind, same placeholders. */
function fits(phrase: unknown, english: Phrase): phrase is Phrase {
  if (typeof phrase !== typeof english || !phrase) return false;
  if (Object.values(phrase).some((form) => typeof form !== "string")) return false;
  if (typeof english !== "string" && !("other" in Object(phrase))) return false;
  const sorted = (places: readonly string[]) => places.toSorted().join();
  const places = placesOf(english);
  // Without placeholders it is shown unchanged, including braces: an owner may use some in a greeting.
  return places.length === 0 || sorted(placesOf(phrase as Phrase)) === sorted(places);
}

/**
 * The texts of a language from its data, which may be anything: a key that is missing, or that does not match English,
 * is English. `tag` must be valid for `Intl`.
 */
export function createTexts(data: Readonly<Record<string, unknown>>, tag: string): Texts {
  const texts = Object.entries<Phrase>(en).map(([key, own]) => {
    const given = data[key];
    const isGiven = fits(given, own);
    const places = placesOf(own);
    const phrase = isGiven ? given : own;
    const shown = (...values: readonly (string | number)[]) =>
      fill(phrase, places, values, isGiven ? tag : "en");
    return [key, places.length > 0 ? shown : phrase];
  });
  return Object.fromEntries(texts) as Texts;
}

function fill(
  phrase: Phrase,
  places: readonly string[],
  values: readonly (string | number)[],
  tag: string,
): string {
  const count = Number(values[places.indexOf("count")]);
  const words =
    typeof phrase === "string" ? phrase : (phrase[new Intl.PluralRules(tag).select(count)] ?? phrase.other);
  return words.replace(PLACE, (_, place) => {
    const value = values[places.indexOf(place)] ?? "";
    return typeof value === "number" ? new Intl.NumberFormat(tag).format(value) : value;
  });
}
