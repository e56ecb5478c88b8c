import { CLAIM_PHRASES } from "./phrases.ts";

const GUARDED: ReadonlySet<string> = new Set(Object.keys(CLAIM_PHRASES));
const LETTER = /\p{L}/gu;
const OTHER_SCRIPT =
  /[^\P{L}\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu;
/** Chinese and Japanese are both known. */
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const CYRILLIC = /\p{Script=Cyrillic}/gu;
/** The guard knows only Russian among the languages in this script, and no Russian word has another letter. */
const NOT_RUSSIAN = /[^\P{Script=Cyrillic}а-яё]/iu;
/** With fewer words, neighbours such as Danish and German often score alike. */
const ENOUGH_WORDS = 5;
/** How much more likely than any guarded language another one must be: in a short text, and in one that is long enough. */
const SHORT_MARGIN = 1.2;
const MARGIN = 1.02;

/** Says how likely a text is in each language that it knows, by ISO 639-1. */
export interface LanguageDetector {
  detect(text: string): { getScores(): Readonly<Record<string, number>> };
}

/** Takes 165 ms of processor time and 29 MB of heap at its first call, so it is loaded only where words are guarded. */
export async function loadLanguages(): Promise<LanguageDetector> {
  return (await import("eld/extrasmall")).eld;
}

/** Whether the guard knows how claims are worded in the language of a locale. Without one it is taken for known. */
export function isGuarded(locale: string | undefined): boolean {
  const [language = ""] = (locale ?? "en").toLowerCase().split(/[-_]/);
  return GUARDED.has(language);
}

/** Whether a text is in a language that the guard does not know; undefined for a text that is too short to tell. */
export function isUnguarded(text: string, languages: LanguageDetector): boolean | undefined {
  const half = count(text, LETTER) / 2;
  if (count(text, OTHER_SCRIPT) > half) return true;
  if (count(text, CYRILLIC) > half && NOT_RUSSIAN.test(text)) return true;
  if (count(text, HAN_OR_KANA) > half) return false;
  const all = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const words = all.length;
  // "Hi Ann!": a name tells no language.
  if (words < 2 || (words === 2 && /^\p{Lu}/u.test(all[1] ?? ""))) return undefined;
  let [known, other] = [0, 0];
  for (const [language, score] of Object.entries(languages.detect(text).getScores())) {
    if (GUARDED.has(language)) known = Math.max(known, score);
    else other = Math.max(other, score);
  }
  const margin = words < ENOUGH_WORDS ? SHORT_MARGIN : MARGIN;
  if (other > known * margin) return true;
  return words < ENOUGH_WORDS && other * margin > known ? undefined : false;
}

function count(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}
