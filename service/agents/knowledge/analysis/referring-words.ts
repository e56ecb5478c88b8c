import type { Language } from "./languages.ts";
import { plainWord, rawWords } from "./raw-words.ts";

/** Words that stand for something that was said before, wherever they stand. */
const STANDING_FOR: Readonly<Record<string, string>> = {
  en: "it its that this they them those these",
  de: "das es dies diese diesen dieser dieses davon dafür damit daran darauf dann ihn ihm denen deren",
  es: "eso esto esa este lo ellos ahí allí entonces",
  fr: "ça cela ceci ce celui celle là y en alors",
  it: "questo questa quello ciò lo esso lì allora",
  pt: "isso isto esse essa ele ela lá então",
  nl: "dat dit het die deze daar dan ervan ervoor",
  sv: "det den detta dessa där då",
  da: "det den dette disse der så",
  nb: "det den dette disse der da",
  ru: "это этот эта этого этим он она они его её их там тогда",
  uk: "це цей ця цього він вона вони його її їх там тоді",
  tr: "bu bunu bunun o onu onun orada şu",
  zh: "那 这 它 这个 那个 那么 那里",
};

/** Words that go on with what was said before, if a question begins with them. */
const GOING_ON: Readonly<Record<string, string>> = {
  en: "and but or so also if yes ok okay sure",
  de: "und aber oder also auch wenn ja ok okay gut",
  es: "y e pero o entonces también si sí vale",
  fr: "et mais ou donc aussi si oui",
  it: "e ma o anche se sì",
  pt: "e mas ou também se sim",
  nl: "en maar of ook als ja",
  sv: "och men eller också om ja",
  da: "og men eller også hvis ja",
  nb: "og men eller også hvis ja",
  ru: "а и но или если да",
  uk: "а і й та але або якщо так",
  tr: "ve peki ya ama veya evet",
  zh: "那 还 如果 好",
};

const setsOf = (lists: Readonly<Record<string, string>>) =>
  new Map(Object.entries(lists).map(([code, words]) => [code, new Set(words.split(" ").map(plainWord))]));
const standing = setsOf(STANDING_FOR);
const goingOn = setsOf(GOING_ON);

/** Whether a question begins with a word of this language that goes on with what was said before. */
export function goesOn(text: string, { code }: Language): boolean {
  return goingOn.get(code)?.has(rawWords(text).map(plainWord)[0] ?? "") === true;
}

/** Whether a question shows by its words that it goes on with what was said before, in one of these languages. */
export function refersBack(text: string, languages: readonly Language[]): boolean {
  const words = rawWords(text).map(plainWord);
  return languages.some(
    (language) =>
      goesOn(text, language) || words.some((word) => standing.get(language.code)?.has(word) === true),
  );
}
