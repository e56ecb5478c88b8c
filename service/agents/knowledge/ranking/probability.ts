import * as z from "zod/mini";
import { FEATURES, type Features } from "./features.ts";
import { FOLLOW_UP_FEATURES, type FollowUpFeatures } from "./follow-up.ts";

/** From this probability on an article is quoted. The report of `npm run knowledge` says what it means. */
export const QUOTE_FROM = 0.75;

/** Two logistic regressions, as the training script writes them. */
export const Model = z.object({
  question: z.object({ bias: z.number(), weights: z.record(z.enum(FEATURES), z.number()) }),
  followUp: z.object({ bias: z.number(), weights: z.record(z.enum(FOLLOW_UP_FEATURES), z.number()) }),
});
export type Model = z.infer<typeof Model>;

/** How likely it is that a candidate answers the question. */
export function probabilityOf(features: Features, { question: { bias, weights } }: Model): number {
  return logistic(FEATURES.reduce((sum, name) => sum + weights[name] * features[name], bias));
}

/** How likely it is that a candidate answers a question about what was said before. */
export function followUpProbabilityOf(
  features: FollowUpFeatures,
  { followUp: { bias, weights } }: Model,
): number {
  return logistic(FOLLOW_UP_FEATURES.reduce((sum, name) => sum + weights[name] * features[name], bias));
}

function logistic(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
