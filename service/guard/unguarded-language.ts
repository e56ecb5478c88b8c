import { languageOf } from "../agents/knowledge/analysis/languages.ts";
import { CLAIM_PHRASES } from "./phrases.ts";

const GUARDED: ReadonlySet<string> = new Set(Object.keys(CLAIM_PHRASES));
const LETTER = /\p{L}/gu;
const OTHER_SCRIPT =
  /[^\P{L}\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/gu;
/** Letters that no guarded language of the same script has: of the Nordic, Baltic, Slavic and others, of Persian and Urdu. */
const OTHER_LETTER =
  /[åæøþðčšžřěůťďňľĺŕőűățșţđāēīūģķļņėųįơưẽạảấầậắằặẹẻếềệỉịọỏốồộớờợụủứừựỳỵỷỹґєіїўјљњћђџѓќѕپچژگکیےںٹڈڑہ]/iu;
/** Words in capitals may be names. Other scripts write foreign names in their own letters. */
const LATIN_NAME = /^[^\p{L}]*\p{Lu}/u;
const LEAST_LATIN_WORDS = 2;
const LEAST_SHARE = 0.1;
/** Russian and Polish share their short words with their neighbours, whose letters tell them apart. */
const BY_LETTERS_ONLY = /\p{Script=Cyrillic}|[ąęłńśźż]/iu;

/** Whether the guard knows how claims are worded in the language of a locale. Without one it is taken for known. */
export function isGuarded(locale: string | undefined): boolean {
  const [language = ""] = (locale ?? "en").toLowerCase().split(/[-_]/);
  return GUARDED.has(language);
}

/** Whether a text is in a language that the guard does not know; undefined for a text that is too short to tell. */
export function isUnguarded(text: string): boolean | undefined {
  const letters = text.match(LETTER)?.length ?? 0;
  const others = text.match(OTHER_SCRIPT)?.length ?? 0;
  if (others > letters / 2) return true;
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const foreign = words.filter((word) => OTHER_LETTER.test(word) && !LATIN_NAME.test(word));
  const least = /\p{Script=Latin}/u.test(foreign.join("")) ? LEAST_LATIN_WORDS : 1;
  if (foreign.length >= least && foreign.length >= words.length * LEAST_SHARE) return true;
  if (BY_LETTERS_ONLY.test(text)) return undefined;
  const language = languageOf(text)?.code;
  return language === undefined ? undefined : !GUARDED.has(language);
}
