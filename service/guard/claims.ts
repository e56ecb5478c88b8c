import { type Claim, claimsByPatterns, languageOf } from "./claim-patterns.ts";
import { claimScore } from "./claim-reader/claim-score.ts";
import { isQuestion, isSpelled, readingsOf } from "./plain-words.ts";

/**
 * What was learned decides where the patterns find no claim, and where they know a verb by its form only: from the first
 * score on a sentence is a claim, up to the second it is none. Measured in docs/decisions/0074-claims-guard.md.
 */
const CLAIM_FROM = 0;
const NO_CLAIM_UP_TO = -2;

/**
 * Returns the claims of one sentence, by patterns for what is known to be one, and by what was learned from sentences
 * that people labelled.
 */
export function claimsIn(sentence: string): readonly Claim[] {
  if (isSpelled(sentence)) return [{ kind: "done", language: "en", form: "ours" }];
  const isAsked = isQuestion(sentence);
  const readings = readingsOf(sentence).filter((words) => /\p{L}/u.test(words));
  const score = Math.max(...readings.map((words) => claimScore(words, isAsked)));
  // Beside a thanks or an offer of help a claim would count little, so only a sentence of one clause passes.
  const isHarmless = score <= NO_CLAIM_UP_TO && readings.every((words) => !words.includes(" , "));
  const found = readings
    .flatMap((words) => claimsByPatterns(words, isAsked))
    .filter(({ isOpen }) => !isOpen || !isHarmless)
    .toSorted(
      (one, other) => Number(one.isOpen) - Number(other.isOpen) || other.familiarity - one.familiarity,
    )
    .map(({ claim }) => claim);
  if (found.length === 0 && score >= CLAIM_FROM) {
    return [{ kind: "done", language: languageOf(readings), form: "announced" }];
  }
  return found.filter(
    (claim, at) => found.findIndex((other) => other.kind === claim.kind && other.form === claim.form) === at,
  );
}
