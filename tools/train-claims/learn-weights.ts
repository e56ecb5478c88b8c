import { type Feature, SIZE } from "../../service/guard/claim-reader/features.ts";
import { createRandom } from "../train/random.ts";

export interface Example {
  readonly features: readonly Feature[];
  readonly isClaim: boolean;
}

const ROUNDS = 30;
const FIRST_STEP = 2;
/** Keeps weights small that few sentences support. */
const PENALTY = 1e-5;

/**
 * Fits a logistic regression with one weight for each feature, by stochastic gradient descent in an order that is the
 * same on each run.
 */
export function learnWeights(examples: readonly Example[]): Float64Array {
  const weights = new Float64Array(SIZE);
  const random = createRandom(1);
  const order = [...examples];
  for (let round = 0; round < ROUNDS; round += 1) {
    shuffle(order, random);
    const step = FIRST_STEP / (1 + round * 0.3);
    for (const { features, isClaim } of order) {
      const error = (isClaim ? 1 : 0) - 1 / (1 + Math.exp(-scoreOf(weights, features)));
      for (const { at, value } of features) {
        const weight = weights[at] ?? 0;
        weights[at] = weight + step * (error * value - PENALTY * weight);
      }
    }
  }
  return weights;
}

export function scoreOf(weights: Float64Array, features: readonly Feature[]): number {
  return features.reduce((sum, { at, value }) => sum + value * (weights[at] ?? 0), 0);
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [list[at] as T, list[other] as T];
    list[at] = two;
    list[other] = one;
  }
}
