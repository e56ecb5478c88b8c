import { comparable, wordsIn } from "./comparable-text.ts";
import {
  type LanguageOfRequest,
  POLITE_EVERYWHERE,
  REQUEST_PHRASES,
  type RequestPhrases,
} from "./person-request-phrases.ts";

/** A request is short; the limit also bounds the time that the patterns take. */
const MAX_LENGTH = 300;

/**
 * Replaces every unlimited repetition. Words such as "bitte mal" and "bitte", "mal" can be read in two ways, so a message
 * that repeats them would otherwise take time that doubles with each word.
 */
const MOST_REPEATS = "){0,4}";

interface Patterns {
  readonly language: LanguageOfRequest;
  /** Matches a sentence that asks for a person. */
  readonly sentence: RegExp;
  /** Matches a whole message that only names a person: "agent please". */
  readonly name: RegExp;
}

const PATTERNS: readonly Patterns[] = Object.entries(REQUEST_PHRASES).map(([language, phrases]) =>
  compile(language as LanguageOfRequest, phrases),
);

/**
 * Returns the languages in which a message asks for a person: "I want to speak to a human", "agent", "echten Menschen
 * bitte". Empty if it does not ask. A word such as "agent" is the same in several languages. The whole sentence must be
 * the request, so "Is there an agent fee?" is not one.
 */
export function languagesOfPersonRequest(text: string): LanguageOfRequest[] {
  if (text.length > MAX_LENGTH) return [];
  const plain = comparable(text);
  // Its normal form may be 18 times as long: one character can stand for a whole phrase.
  if (plain.length > MAX_LENGTH) return [];
  const sentences = plain.split(/[.!?…。！？؟\n]+/).map(wordsIn);
  const whole = wordsIn(plain);
  return PATTERNS.filter(
    ({ sentence, name }) => name.test(whole) || sentences.some((one) => sentence.test(one)),
  ).map(({ language }) => language);
}

/** Each pattern is of whole words: those of Chinese and Japanese are not separated, so their gap may be empty. */
function compile(language: LanguageOfRequest, phrases: RequestPhrases): Patterns {
  const gap = phrases.isSpaced === false ? " ?" : " ";
  const polite = `(?:${POLITE_EVERYWHERE}|${phrases.polite})`;
  const person = `(?:${phrases.person})`;
  const anyone = `(?:${phrases.person}|${phrases.someone})`;
  const fill = (pattern: string) =>
    pattern
      .replaceAll("<polite>", `(?:${polite}${gap})*`)
      .replaceAll("<person>", person)
      .replaceAll("<anyone>", anyone);
  const before = `^(?:${polite}${gap})*${fill(phrases.topicBefore ?? "")}`;
  const after = `(?:${gap}${polite})*`;
  const patternOf = (source: string) => new RegExp(comparable(source.replaceAll(")*", MOST_REPEATS)), "u");
  const topic = phrases.topic ? `(?:${gap}(?:${phrases.topic})(?:${gap}.*)?)?` : "";
  const requests = phrases.requests.map(fill).join("|");
  return {
    language,
    sentence: patternOf(`${before}(?:${requests})${after}${topic}$`),
    name: patternOf(`^(?:${polite}${gap})*${person}${after}$`),
  };
}
