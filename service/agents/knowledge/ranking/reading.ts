import { rawWords } from "../analysis/raw-words.ts";
import type { AskedWord } from "./asked.ts";
import type { Features } from "./features.ts";
import type { FollowUpFeatures } from "./follow-up.ts";
import { QUOTE_FROM } from "./probability.ts";
import type { Candidate } from "./rank.ts";

/** Only these articles can be offered or quoted. */
export const MOST_JUDGED = 5;

/** A candidate with what it was judged by. */
export interface Judged {
  readonly candidate: Candidate;
  readonly features: Features | FollowUpFeatures;
  readonly probability: number;
}

/** A question with more telling words names its subject itself. */
export const SHORT = 2;
/** The same for one whose words refer to something: "how do I cancel it before it is sent". */
const SHORT_REFERRING = 4;
/** A less probable reading is not considered. */
const LEAST_READING = 0.05;
const WHOLE_NAME = 0.9;
/** Two readings of a question share its probability, so neither is quoted as if it were the only one. */
export const EITHER = 0.5;

/** Chooses between the question by itself and the question about what was said before: the more probable reading wins. */
export function read(
  asked: readonly AskedWord[],
  alone: readonly Judged[],
  together: readonly Judged[],
  isReferring: boolean,
): readonly Judged[] {
  const [own, said] = [alone[0], together[0]];
  if (own === undefined || said === undefined) return own ? alone : together;
  const subject = subjectOf(together) ?? said;
  const isElsewhere = own.candidate.article !== subject.candidate.article;
  // "What does it cost?" names no section "Cost": it says of what by "it".
  const isNew = (isNamed(own) || isClear(own, asked)) && !isReferring;
  if (asked.length <= SHORT && isElsewhere && own.probability >= LEAST_READING && !isNew) {
    return [subject, own].map((judged) => ({ ...judged, probability: EITHER }));
  }
  return likeliest([...alone, ...together]);
}

/** The article that what was said and the question together are most about. */
function subjectOf(together: readonly Judged[]): Judged | undefined {
  return [...together].sort((one, other) => other.candidate.score - one.candidate.score)[0];
}

/** A longer question names its subject itself, but may as well go on: the former subject can be offered as the third. */
const SUBJECT_PLACE = 2;

/** The question by itself, and the former subject in the third place. */
export function withSubject(alone: readonly Judged[], together: readonly Judged[]): readonly Judged[] {
  const subject = subjectOf(together);
  if (subject === undefined) return alone;
  if (alone.slice(0, SUBJECT_PLACE).some((one) => articleOf(one) === articleOf(subject))) return alone;
  const others = alone.filter((one) => articleOf(one) !== articleOf(subject));
  const offered = { ...subject, probability: Math.min(subject.probability, EITHER) };
  return others.toSpliced(SUBJECT_PLACE, 0, offered).slice(0, MOST_JUDGED);
}

/** Each article once, by its more probable reading. */
export function likeliest(readings: readonly Judged[]): readonly Judged[] {
  const best = new Map<number, Judged>();
  for (const judged of readings) {
    const known = best.get(judged.candidate.article);
    if (known === undefined || judged.probability > known.probability)
      best.set(judged.candidate.article, judged);
  }
  return [...best.values()].sort((one, other) => other.probability - one.probability).slice(0, MOST_JUDGED);
}

/** Whether a question may need what was said before it. One without words, such as "???", asks nothing. */
export function isIncomplete(text: string, asked: readonly AskedWord[], isReferring: boolean): boolean {
  return asked.length <= (isReferring ? SHORT_REFERRING : SHORT) && rawWords(text).length > 0;
}

/**
 * Whether an article would be quoted for the question by itself. By one word, such as that of "is there a faster way?",
 * it may be a wrong one, unless many articles have the word and few passages: "how long does delivery take?".
 */
function isClear({ probability, features }: Judged, asked: readonly AskedWord[]): boolean {
  const isAboutOne = "saturation" in features && features.saturation >= 1;
  return probability >= QUOTE_FROM && (asked.length === SHORT || isAboutOne);
}

/** Whether the question is the name of a section or an article: "gift cards". */
function isNamed({ features }: Judged): boolean {
  return "name" in features && features.name >= WHOLE_NAME;
}

/** Whether the title or a heading has a word of the question. */
export function isInName({ features }: Judged): boolean {
  return "name" in features && features.name > 0;
}

/** The article of a candidate, by its number in the corpus. */
export function articleOf({ candidate }: Judged): number {
  return candidate.article;
}
