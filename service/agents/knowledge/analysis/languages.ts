import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as bulgarian } from "@orama/stemmers/bulgarian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as irish } from "@orama/stemmers/irish";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as nepali } from "@orama/stemmers/nepali";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as serbian } from "@orama/stemmers/serbian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stopwords as ar } from "@orama/stopwords/arabic";
import { stopwords as hy } from "@orama/stopwords/armenian";
import { stopwords as bg } from "@orama/stopwords/bulgarian";
import { stopwords as da } from "@orama/stopwords/danish";
import { stopwords as nl } from "@orama/stopwords/dutch";
import { stopwords as en } from "@orama/stopwords/english";
import { stopwords as fi } from "@orama/stopwords/finnish";
import { stopwords as fr } from "@orama/stopwords/french";
import { stopwords as de } from "@orama/stopwords/german";
import { stopwords as el } from "@orama/stopwords/greek";
import { stopwords as hu } from "@orama/stopwords/hungarian";
import { stopwords as hi } from "@orama/stopwords/indian";
import { stopwords as id } from "@orama/stopwords/indonesian";
import { stopwords as ga } from "@orama/stopwords/irish";
import { stopwords as it } from "@orama/stopwords/italian";
import { stopwords as ja } from "@orama/stopwords/japanese";
import { stopwords as lt } from "@orama/stopwords/lithuanian";
import { stopwords as zh } from "@orama/stopwords/mandarin";
import { stopwords as ne } from "@orama/stopwords/nepali";
import { stopwords as nb } from "@orama/stopwords/norwegian";
import { stopwords as pt } from "@orama/stopwords/portuguese";
import { stopwords as ro } from "@orama/stopwords/romanian";
import { stopwords as ru } from "@orama/stopwords/russian";
import { stopwords as sr } from "@orama/stopwords/serbian";
import { stopwords as es } from "@orama/stopwords/spanish";
import { stopwords as sv } from "@orama/stopwords/swedish";
import { stopwords as ta } from "@orama/stopwords/tamil";
import { stopwords as tr } from "@orama/stopwords/turkish";
import { stopwords as uk } from "@orama/stopwords/ukrainian";
import { ASKING_WORDS } from "./asking-words.ts";
import { englishStem } from "./english-stem.ts";
import { germanStem } from "./german-stem.ts";
import { KOREAN_STOP_WORDS, koreanStem } from "./korean.ts";
import { CZECH_STOP_WORDS, czechStem, POLISH_STOP_WORDS, polishStem } from "./polish-czech.ts";
import { plainWord, rawWords } from "./raw-words.ts";

/** How the words of one language are read. */
export interface Language {
  /** BCP 47, the language only. */
  readonly code: string;
  readonly stem: (word: string) => string;
  /** Words of a question that say nothing about its subject, in the form of `plainWord`. */
  readonly stopWords: ReadonlySet<string>;
  /** Whether its nouns are written together: the parts of such a word are searched too. */
  readonly hasCompounds: boolean;
}

const same = (word: string) => word;

/**
 * A language that is not listed has no stemmer; its words are compared as they are. Slovenian is not, because the list
 * of the stop words that the package has for it is the Russian one.
 */
const KNOWN: readonly (readonly [code: string, stem: (word: string) => string, stop: readonly string[]])[] = [
  ["en", englishStem, en],
  ["de", germanStem, de],
  ["es", spanish, es],
  ["fr", french, fr],
  ["it", italian, it],
  ["pt", portuguese, pt],
  ["nl", dutch, nl],
  ["da", danish, da],
  ["sv", swedish, sv],
  ["nb", norwegian, nb],
  ["fi", finnish, fi],
  ["hu", hungarian, hu],
  ["ro", romanian, ro],
  ["tr", turkish, tr],
  ["lt", lithuanian, lt],
  ["ga", irish, ga],
  ["id", indonesian, id],
  ["pl", polishStem, POLISH_STOP_WORDS],
  ["cs", czechStem, CZECH_STOP_WORDS],
  ["ru", russian, ru],
  ["uk", ukrainian, uk],
  ["bg", bulgarian, bg],
  ["sr", serbian, sr],
  ["el", greek, el],
  ["hy", armenian, hy],
  ["ar", arabic, ar],
  ["hi", hindi, hi],
  ["ne", nepali, ne],
  ["ta", tamil, ta],
  ["zh", same, zh],
  ["ja", same, ja],
  ["ko", koreanStem, KOREAN_STOP_WORDS],
];

const COMPOUNDS = new Set(["de", "nl", "da", "sv", "nb", "fi", "hu"]);

const LANGUAGES: readonly Language[] = KNOWN.map(([code, stem, stop]) => ({
  code,
  stem,
  stopWords: new Set([...stop.flatMap(rawWords), ...(ASKING_WORDS[code] ?? [])].map(plainWord)),
  hasCompounds: COMPOUNDS.has(code),
}));

/** A language without stemmer and stop words. */
export const UNKNOWN_LANGUAGE: Language = {
  code: "und",
  stem: same,
  stopWords: new Set(),
  hasCompounds: false,
};

/** Longer texts are judged by their beginning. */
const ENOUGH = 2_000;

/** A text with a smaller share of stop words is in another language, or is no prose. */
const LEAST_SHARE = 0.12;

/** Guesses the language of a text by its stop words; undefined for one that is too short to tell. */
export function languageOf(text: string): Language | undefined {
  const words = rawWords(text.slice(0, ENOUGH)).map(plainWord);
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text.slice(0, ENOUGH))) return languageNamed("ja");
  // More than a name or two.
  const inHangul = words.filter((word) => /\p{Script=Hangul}/u.test(word)).length;
  if (inHangul * 3 > words.length) return languageNamed("ko");
  let best: Language | undefined;
  let most = Math.max(1, words.length * LEAST_SHARE);
  for (const language of LANGUAGES) {
    const count = words.filter((word) => language.stopWords.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  if (best === undefined && /\p{Script=Han}/u.test(text.slice(0, ENOUGH))) return languageNamed("zh");
  return best;
}

/** How many different stop words of a language a text has. */
export function differentStopWords(text: string, { stopWords }: Language): number {
  const words = new Set(rawWords(text.slice(0, ENOUGH)).map(plainWord));
  return [...words].filter((word) => stopWords.has(word)).length;
}

/** The language of a locale such as `de-AT`; undefined for one without stemmer and stop words. */
export function languageNamed(locale: string | undefined): Language | undefined {
  const code = locale?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language.code === (code === "no" || code === "nn" ? "nb" : code));
}
