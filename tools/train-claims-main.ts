import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { featuresOf } from "../service/guard/claim-reader/features.ts";
import { isQuestion, readingsOf } from "../service/guard/plain-words.ts";
import { asksForHelp } from "./asks-for-help.ts";
import { sentencesOfArticles, sentencesOfSets } from "./train-claims/labelled-sentences.ts";
import { type Example, learnWeights, scoreOf } from "./train-claims/learn-weights.ts";

const WEIGHTS = fileURLToPath(new URL("../service/guard/claim-reader/weights.json", import.meta.url));
const FOLDS = 5;
const LARGEST_BYTE = 127;

const USAGE = `Usage:
  npm run train-claims -- [help]
      learns from labelled sentences what a claim looks like (docs/decisions/0074-claims-guard.md), prints how often it is
      wrong about sentences that it has not learned from, and writes service/guard/claim-reader/weights.json
`;

const [unknown] = process.argv.slice(2);
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not understood.\n${USAGE}`);
  process.exit(2);
}

const examples = [...sentencesOfSets(), ...sentencesOfArticles()].map(
  ({ sentence, isClaim }): Example => ({
    features: featuresOf(readingsOf(sentence)[0] ?? "", isQuestion(sentence)),
    isClaim,
  }),
);

const scores = examples.map(() => 0);
for (let fold = 0; fold < FOLDS; fold += 1) {
  const weights = learnWeights(examples.filter((_, at) => at % FOLDS !== fold));
  for (const [at, { features }] of examples.entries())
    if (at % FOLDS === fold) scores[at] = scoreOf(weights, features);
}
console.log(`${examples.length} sentences, each judged by what was learned from the others:`);
for (const from of [0, 0.5, 1, 1.5, 2]) {
  const shareOf = (isClaim: boolean, isWrong: (score: number) => boolean) => {
    const own = scores.filter((_, at) => examples[at]?.isClaim === isClaim);
    return ((100 * own.filter(isWrong).length) / own.length).toFixed(1);
  };
  const missed = shareOf(true, (score) => score < from);
  const held = shareOf(false, (score) => score >= from);
  console.log(`from ${from}: ${missed} % of the claims missed, ${held} % of the harmless held`);
}

const weights = learnWeights(examples);
const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / LARGEST_BYTE;
const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
const report = { trained: new Date().toISOString().slice(0, 10), sentences: examples.length };
writeFileSync(
  WEIGHTS,
  `${JSON.stringify({ report, scale, weights: Buffer.from(bytes.buffer).toString("base64") }, null, 2)}\n`,
);
