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
if (given.length === 0 || asksForHelp(given)) {
  (given.length === 0 ? process.stderr : process.stdout).write(USAGE);
  process.exit(given.length === 0 ? 2 : 0);
}
function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\nNothing was written.\n`);
  process.exit(1);
}
const sets: TrainingSet[] = [];
for (const argument of given) {
  const [path = "", times = "1"] = argument.split("@");
  const weight = Number(times);
  if (!(weight > 0 && Number.isFinite(weight))) refuse(`${argument}: the weight is no number above 0.`);
  const set = readQuestionSet(path, undefined);
  const sources = [readFolder(set.articles)];
  const build = (all: readonly Article[]) => ({ articles: all, passages: 0 });
  const library = await openLibrary({ sources, baseUrl: undefined, build, log: SILENT_LOG });
  const articles = library.current()?.articles ?? [];
  const questions = set.questions.filter(({ split, before }) => split === "dev" && before.length === 0);
  if (questions.length === 0)
    refuse(`${path} has no question whose split is dev, so nothing can be learned.`);
  sets.push({ name: set.name, articles, questions, weight });
}
const report = {
  trained: new Date().toISOString().slice(0, 10),
  sets: sets.map(({ name, articles, questions, weight }) => {
    return { name, articles: articles.length, questions: questions.length, weight };
  }),
};
writeFileSync(WEIGHTS, `${JSON.stringify({ ...train(sets), report }, null, 2)}\n`);
console.log(`Trained on ${report.sets.map(({ name, questions }) => `${questions} of ${name}`).join(", ")}.`);
