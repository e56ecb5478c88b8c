import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Article } from "../service/agents/knowledge/article.ts";
import { readFolder } from "../service/agents/knowledge/sources/folder-source.ts";
import { openLibrary } from "../service/agents/knowledge/sources/library.ts";
import { SILENT_LOG } from "../shared/server/log.ts";
import { asksForHelp } from "./asks-for-help.ts";
import { readQuestionSet } from "./knowledge/question-file.ts";
import { type TrainingSet, train } from "./train/train.ts";

const WEIGHTS = fileURLToPath(new URL("../service/agents/knowledge/ranking/weights.json", import.meta.url));

const USAGE = `Usage:
  npm run train -- FILE[@WEIGHT]...
      learns what makes a passage the answer from the questions of files whose split is dev (see docs/knowledge.md),
      each with its articles beside it, and writes service/agents/knowledge/ranking/weights.json
`;

const given = process.argv.slice(2);
if (asksForHelp(given)) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const option = given.find((argument) => argument.startsWith("-"));
if (given.length === 0 || option !== undefined) {
  process.stderr.write(option === undefined ? USAGE : `Unknown option ${option}.\n${USAGE}`);
  process.exit(2);
}
function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\nNothing was written.\n`);
  process.exit(1);
}
async function readSet(path: string) {
  const set = readQuestionSet(path, undefined);
  const sources = [readFolder(set.articles)];
  const build = (all: readonly Article[]) => ({ articles: all, passages: 0 });
  const library = await openLibrary({ sources, baseUrl: undefined, build, log: SILENT_LOG });
  return { ...set, articles: library.current()?.articles ?? [] };
}
const sets: TrainingSet[] = [];
for (const argument of given) {
  const [path = "", times = "1"] = argument.split("@");
  const weight = Number(times);
  if (!(weight > 0 && Number.isFinite(weight))) refuse(`${argument}: the weight is no number above 0.`);
  const set = await readSet(path).catch((error: unknown) =>
    refuse(error instanceof Error ? error.message : String(error)),
  );
  const questions = set.questions.filter(({ split, before }) => split === "dev" && before.length === 0);
  if (questions.length === 0)
    refuse(`${path} has no question whose split is dev, so nothing can be learned.`);
  sets.push({ name: set.name, articles: set.articles, questions, weight });
}
const report = {
  trained: new Date().toISOString().slice(0, 10),
  sets: sets.map(({ name, articles, questions, weight }) => {
    return { name, articles: articles.length, questions: questions.length, weight };
  }),
};
writeFileSync(WEIGHTS, `${JSON.stringify({ ...train(sets), report }, null, 2)}\n`);
console.log(`Trained on ${report.sets.map(({ name, questions }) => `${questions} of ${name}`).join(", ")}.`);
