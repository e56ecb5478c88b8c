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
/** The detector takes Afrikaans for Dutch, which has hardly any of these words. */
const AFRIKAANS =
  /(?<!\p{L})(?!EK(?!\p{L}))(?:ek|jy|nie|hulle|julle|hierdie|vir|sal|asseblief|ge\p{L}{3,}(?<![hf]|verk)eer)(?!\p{L})/iu;
/** Polish scores low. Maltese has ż too, but Polish has none of ċ, ġ and ħ. */
const POLISH = /^(?=.*(?:[ąćęłńśźż]|[crsd]z))[^ċġħ]*$/isu;
/** With fewer words, neighbours such as Danish and German often score alike. */
const ENOUGH_WORDS = 5;
/** How much more likely than any guarded language another one must be: in a short text, and in one that is long enough. */
const SHORT_MARGIN = 1.2;
const MARGIN = 1.02;
/** If each guarded language is less likely, a text that is long enough is in one that the detector does not know. */
const FLOOR = 0.64;
/** Such words are as unlikely in every language. */
const NAME_OR_CODE = /[\p{Lu}\d]/u;
const FEWEST_PLAIN_WORDS = 2;

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
  const { likeliest, known, other } = likelihoods(text, languages);
  if (likeliest === "nl" && AFRIKAANS.test(text)) return true;
  if (words < ENOUGH_WORDS) {
    if (other > known * SHORT_MARGIN) return true;
    return other * SHORT_MARGIN > known ? undefined : false;
  }
  if (other > known * MARGIN) return true;
  if (known >= FLOOR) return false;
  const plain = all.filter((word) => !NAME_OR_CODE.test(word));
  const read = plain.join(" ");
  if (plain.length < FEWEST_PLAIN_WORDS || POLISH.test(read)) return false;
  return likelihoods(read, languages).known < FLOOR;
}

function likelihoods(text: string, languages: LanguageDetector) {
  let [likeliest, known, other] = ["", 0, 0];
  for (const [language, score] of Object.entries(languages.detect(text.normalize("NFKC")).getScores())) {
    if (!GUARDED.has(language)) other = Math.max(other, score);
    else if (score > known) [likeliest, known] = [language, score];
  }
  return { likeliest, known, other };
}

function count(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}
