import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createScriptedAgent } from "../../service/testing/agents.ts";
import { runKnowledge } from "./command-line.ts";
import { readQuestionSet } from "./question-file.ts";
import { measureSet } from "./report.ts";

const QUESTIONS = [
  { text: "What colour are teapots?", articles: ["teapots"], spans: ["teapots are RED"] },
  { text: "How do I wash mugs?", articles: ["cups"], spans: ["in the sea"], type: "typos" },
  { text: "What colour are teapots?", articles: ["cups"], type: "wrong" },
  { text: "Zebra crossings?", articles: [], type: "unanswerable" },
  { text: "What colour are teapots?", articles: [], type: "unanswerable" },
  { text: "Only when developing", articles: [], split: "dev" },
];

function folderWith(lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "articles"));
  writeFileSync(join(folder, "articles", "teapots.md"), "# Teapots\n\nTeapots are **red**.");
  writeFileSync(join(folder, "articles", "cups.md"), "# Cups and mugs\n\nWash mugs by hand.");
  writeFileSync(join(folder, "questions.jsonl"), `${lines.join("\n")}\n`);
  return folder;
}
const run = (...args: string[]) =>
  runKnowledge({ args: ["report", ...args], env: {}, readFile: () => "", now: 0 });

test("npm run knowledge -- report counts right quotes, wrong quotes and false answers by type", async () => {
  const folder = folderWith(QUESTIONS.map((question) => JSON.stringify(question)));
  const { output, errors } = await run(folder, "--json");
  expect(errors).toBe("");
  const [{ rows }] = JSON.parse(output);
  const none = {
    found: 0,
    quotedRight: 0,
    quotedWrong: 0,
    offeredWrong: 0,
    named: 0,
    nothing: 0,
    spans: 0,
    spansHeld: 0,
  };
  expect(rows).toMatchObject([
    {
      ...none,
      type: "question",
      questions: 1,
      isAnswerable: true,
      found: 1,
      quotedRight: 1,
      spans: 1,
      spansHeld: 1,
    },
    {
      ...none,
      type: "typos",
      questions: 1,
      isAnswerable: true,
      found: 1,
      quotedRight: 1,
      spans: 1,
      spansHeld: 0,
    },
    { ...none, type: "wrong", questions: 1, isAnswerable: true, quotedWrong: 1 },
    { ...none, type: "unanswerable", questions: 2, isAnswerable: false, quotedWrong: 1, nothing: 1 },
  ]);
});

test("npm run knowledge -- report prints a table, for the split that is asked for", async () => {
  const folder = folderWith(QUESTIONS.map((question) => JSON.stringify(question)));
  const { output } = await run(join(folder, "questions.jsonl"));
  expect(output).toContain("| questions unanswerable | 2 |  |  | 50.0 | 0.0 |  | 50.0 |  |");
  expect(output).toMatch(/One answer: p50 [\d.]+ ms, p95 [\d.]+ ms\./);
  const all = JSON.parse((await run(folder, "--json", "--split", "dev")).output);
  expect(all[0].rows).toMatchObject([{ questions: 1, nothing: 1 }]);
});

test("AGENT2 a title below the words that nothing was found is counted apart from those that are found", async () => {
  const agent = createScriptedAgent(async function* () {
    yield { type: "delta", text: "I found nothing. Closest are:" };
    yield { type: "choice", choice: { id: "teapots", label: "Teapots", send: "Teapots" } };
    yield { type: "nothing.found" };
  });
  const set = readQuestionSet(folderWith(QUESTIONS.slice(0, 2).map((one) => JSON.stringify(one))), undefined);
  expect((await measureSet(agent, set)).rows).toMatchObject([
    { type: "question", found: 0, named: 1, nothing: 0 },
    { type: "typos", found: 0, named: 0, nothing: 1 },
  ]);
});

test("npm run knowledge -- report refuses a question file that is not UTF-8", async () => {
  const file = join(folderWith([]), "questions.jsonl");
  writeFileSync(file, Buffer.from('{"text": "Wie groß?", "articles": []}', "latin1"));
  expect(await run(file)).toMatchObject({
    errors: `The question file ${file} is not UTF-8.\n`,
    exitCode: 1,
  });
});

test("npm run knowledge -- report names the line that is no question", async () => {
  const folder = folderWith([JSON.stringify(QUESTIONS[0]), '{"text": 1}']);
  const { exitCode, errors } = await run(folder);
  expect(exitCode).toBe(1);
  expect(errors).toContain("questions.jsonl, line 2, is no question");
});

test("npm run knowledge -- report refuses an id that no article has, in any split", async () => {
  const mistyped = { ...QUESTIONS[5], articles: ["teapots", "teapot"] };
  const folder = folderWith([QUESTIONS[0], mistyped].map((question) => JSON.stringify(question)));
  const { output, errors, exitCode } = await run(folder);
  expect({ output, exitCode }).toEqual({ output: "", exitCode: 1 });
  expect(errors).toBe(`${join(folder, "questions.jsonl")}, line 2: there is no article "teapot".\n`);
});

test("npm run knowledge -- report fails where a file has no question of the split", async () => {
  const folder = folderWith([JSON.stringify(QUESTIONS[5])]);
  const file = join(folder, "questions.jsonl");
  for (const json of [[], ["--json"]]) {
    const { output, errors, exitCode } = await run(folder, ...json);
    expect({ output, exitCode }).toEqual({ output: "", exitCode: 1 });
    expect(errors).toBe(`${file} has no question with the split test. --split all takes every question.\n`);
  }
  expect((await run(folder, "--split", "all")).exitCode).toBe(0);
});

test.each([
  [[], 2, "report takes at least one question file"],
  [["/nonexistent.jsonl"], 1, "The question file /nonexistent.jsonl can't be read."],
  [["a", "--split", "b"], 2, "--split takes dev, test or all, not b."],
])("npm run knowledge -- report %j ends with code %i and a sentence", async (args, code, sentence) => {
  const { exitCode, errors } = await run(...args);
  expect(exitCode).toBe(code);
  expect(errors).toContain(sentence);
});
