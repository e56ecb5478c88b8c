import * as z from "zod/mini";
import { FEATURES, type Features } from "./features.ts";

/** A logistic regression, as the training script writes it. */
export const Model = z.object({
  bias: z.number(),
  weights: z.record(z.enum(FEATURES), z.number()),
});
export type Model = z.infer<typeof Model>;

/** How likely it is that a candidate answers the question. */
export function probabilityOf(features: Features, { bias, weights }: Model): number {
  let sum = bias;
  for (const name of FEATURES) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}
