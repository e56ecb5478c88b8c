import { negotiate } from "../../../shared/languages.ts";
import sentences from "./knowledge-sentences.json" with { type: "json" };

/**
 * The knowledge agent's own sentences in one language. Everything else in its answers is quoted. In a language that
 * lacks an optional sentence, the answer leaves it out: English would not help its reader.
 */
export interface KnowledgeSentences {
  /** Introduces quotes. */
  readonly frame?: string;
  readonly nothingFound: string;
  /** Precedes the titles of articles that may answer. */
  readonly offered: string;
  /** Precedes the titles of several articles that are unlikely to answer, after the words that nothing was found. */
  readonly nearest: string;
  /** Answers a message that has only files: no agent gets them. */
  readonly filesUnread: string;
  /** Follows an answer that found nothing either. */
  readonly nothingFoundAgain?: string;
  /** Says what the button does, because the customer decides: nobody has been asked yet. */
  readonly personOffered: string;
  readonly greeting: string;
  /** Answers thanks. */
  readonly welcome?: string;
  /** Answers "ok". */
  readonly noted?: string;
  /** Answers "are you a robot?". */
  readonly robot?: string;
  /** Answers "how are you?". */
  readonly mood?: string;
  /** Answers anger. */
  readonly sorry?: string;
  readonly goodbye?: string;
  /** Follows a passage that is quoted in part, with the places `{quoted}` and `{all}`. */
  readonly part?: string;
}

const SENTENCES: Readonly<Record<string, KnowledgeSentences>> = sentences;
const LANGUAGES = Object.keys(SENTENCES);

export const ENGLISH = sentences.en satisfies KnowledgeSentences;

/**
 * The language of sentences for a customer: that of the words, if it is known, otherwise the session's.
 * @param written the possible languages of the customer's words
 */
export function customerLanguage(
  locale: string | undefined,
  written: readonly string[],
  languages: readonly string[],
): string {
  const [own] = negotiate(locale === undefined ? [] : [locale], languages);
  const [base = own] = own.split("-");
  return (written.length === 0 || written.includes(base) ? own : written[0]) ?? own;
}

/** The language of a session, without its region. */
export function sessionLanguage(locale: string | undefined): string {
  return customerLanguage(locale, [], LANGUAGES).replace(/-.*/, "");
}

/**
 * Returns the languages of `found` if the message is surely in one of them. If we know no small talk in the session's
 * language, a single word in Latin or Cyrillic letters proves nothing: Swedes greet with "hej", as Poles do.
 */
export function provenLanguages(
  text: string,
  found: readonly string[],
  locale: string | undefined,
): readonly string[] {
  const isKnown = sentencesFor(locale).welcome !== undefined;
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu));
  const isShared = words.size === 1 && !/[^\P{L}\p{scx=Latin}\p{scx=Cyrillic}]/u.test(text);
  return isShared && !isKnown ? [] : found;
}

/** Returns the sentences for a customer, in the language that `customerLanguage` describes, or in English. */
export function sentencesFor(
  locale: string | undefined,
  written: readonly string[] = [],
): KnowledgeSentences {
  return SENTENCES[customerLanguage(locale, written, LANGUAGES)] ?? ENGLISH;
}

/** The words of sorry before an answer to an angry question: the first sentence of `sorry`. */
export function apologyIn({ sorry = "" }: KnowledgeSentences): string | undefined {
  return /^.+?[.。]/u.exec(sorry)?.[0];
}

const OWN = new Set(Object.values(SENTENCES).flatMap((one) => [...Object.values(one), apologyIn(one)]));

const OFFERING = new Set(
  Object.values(SENTENCES).flatMap((one) => [
    one.nothingFound,
    one.nothingFoundAgain,
    one.offered,
    one.filesUnread,
    one.personOffered,
    one.sorry,
  ]),
);

/** Whether a message has one of the agent's own sentences that offer a person. */
export function offersPerson(body: string): boolean {
  return body.split("\n\n").some((part) => OFFERING.has(part));
}

/** What a message says besides the agent's own sentences: what it quotes. */
export function withoutOwnSentences(body: string): string {
  return body
    .split("\n\n")
    .filter((part) => !OWN.has(part))
    .join("\n\n");
}

/** Returns the text that follows a passage which is quoted in part, so that nobody takes it for the whole. */
export function leftOut(quoted: number, all: number, sentences: KnowledgeSentences = ENGLISH): string {
  const { part = "{quoted} / {all}" } = sentences;
  return `*${part.replace("{quoted}", String(quoted)).replace("{all}", String(all))}*`;
}
