import * as z from "zod/mini";
import { featuresOf, SIZE } from "./features.ts";
import learned from "./weights.json" with { type: "json" };

/** What `npm run train-claims` writes. */
const LearnedWeights = z.object({
  /** One weight is this times its byte. */
  scale: z.number(),
  /** `SIZE` signed bytes, as base64. */
  weights: z.base64(),
  /** When and from what they were learned. */
  report: z.object({ trained: z.string(), sentences: z.number() }),
});

const { scale, weights } = LearnedWeights.parse(learned);
const bytes = new Int8Array(Buffer.from(weights, "base64"));
if (bytes.length !== SIZE) throw new Error(`There are ${bytes.length} weights and not ${SIZE}.`);

/**
 * How much a sentence looks like a claim: the logarithm of the odds, as learned from sentences that people labelled.
 *
 * @param words in the form of `readingsOf`
 */
export function claimScore(words: string, isAsked: boolean): number {
  return featuresOf(words, isAsked).reduce((sum, { at, value }) => sum + value * scale * (bytes[at] ?? 0), 0);
}
