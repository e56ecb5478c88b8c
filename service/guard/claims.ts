import type { Claim } from "./claim.ts";
import { claimsByPatterns } from "./claim-patterns.ts";
import { claimScore } from "./claim-reader/claim-score.ts";
import { isQuestion, isSpelled, readingsOf } from "./plain-words.ts";
import { languageOf } from "./sentence-languages.ts";

/**
 * From the first score on a sentence is a claim; one of its clauses needs the second, unless the whole is very unlikely
 * to be one. A claim counts little in the score of a long sentence, so its clauses are judged too. Measured in
 * docs/decisions/0074-claims-guard.md.
 */
const CLAIM_FROM = 0;
const CLAIM_IN_CLAUSE_FROM = 2;

/**
 * Up to these scores what a pattern found is no claim: a verb that it knows by its form only, and one that is listed. No
 * clause may be likelier than the third.
 */
const NO_CLAIM_BY_FORM_UP_TO = -3;
const NO_CLAIM_UP_TO = -4.5;
const NO_CLAIM_IN_CLAUSE_UP_TO = -1.5;

const BETWEEN_CLAUSES = " , ";

/**
 * Returns the claims of one sentence, by patterns for what is known to be one, and by what was learned from sentences
 * that people labelled.
 */
export function claimsIn(sentence: string): readonly Claim[] {
  if (isSpelled(sentence)) return [{ kind: "done", language: "en", form: "ours" }];
  const isAsked = isQuestion(sentence);
  const readings = readingsOf(sentence).filter((words) => /\p{L}/u.test(words));
  const likelihoodOf = (texts: readonly string[]) =>
    Math.max(...texts.map((words) => claimScore(words, isAsked)));
  const whole = likelihoodOf(readings);
  const clauses = readings.flatMap((words) => words.split(BETWEEN_CLAUSES));
  const clause = clauses.length === readings.length ? whole : likelihoodOf(clauses);
  const isHarmless = (upTo: number) => whole <= upTo && clause <= NO_CLAIM_IN_CLAUSE_UP_TO;
  // Nothing that a pattern finds would count, and the patterns take most of the time.
  if (isHarmless(NO_CLAIM_UP_TO)) return [];
  const found = readings
    .flatMap((words) => claimsByPatterns(words, isAsked, { withOpen: !isHarmless(NO_CLAIM_BY_FORM_UP_TO) }))
    .toSorted(
      (one, other) => Number(one.isOpen) - Number(other.isOpen) || other.familiarity - one.familiarity,
    )
    .map(({ claim }) => claim);
  const isLikely = whole >= CLAIM_FROM || (whole > NO_CLAIM_BY_FORM_UP_TO && clause >= CLAIM_IN_CLAUSE_FROM);
  if (found.length === 0 && isLikely) {
    return [{ kind: "done", language: languageOf(readings), form: "announced" }];
  }
  return found.filter(
    (claim, at) => found.findIndex((other) => other.kind === claim.kind && other.form === claim.form) === at,
  );
}
