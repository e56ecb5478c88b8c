import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const TRAIN = fileURLToPath(new URL("train-main.ts", import.meta.url));
const TRAIN_CLAIMS = fileURLToPath(new URL("train-claims-main.ts", import.meta.url));
const WEIGHTS = new URL("../service/agents/knowledge/ranking/weights.json", import.meta.url);

test.each([
  ["no question for training", "", "no question whose split is dev"],
  ["a weight that is no number", "@abc", "the weight is no number"],
])("with %s the shipped weights stay, and a sentence says why", async (_name, weight, reason) => {
  const folder = mkdtempSync(join(tmpdir(), "train-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "questions.jsonl");
  writeFileSync(file, '{"text": "Do you repair lamps?", "articles": ["repairs"]}\n');
  mkdirSync(join(folder, "articles"));
  writeFileSync(join(folder, "articles", "repairs.md"), "# Repairs\n\nWe repair every lamp.\n");
  const before = readFileSync(WEIGHTS, "utf8");
  expect(await run(TRAIN, file + weight)).toEqual({ code: 1, said: expect.stringContaining(reason) });
  expect(readFileSync(WEIGHTS, "utf8")).toBe(before);
});

test("a question file or a folder of articles that is not there is said in a sentence, without a stack", async () => {
  const folder = mkdtempSync(join(tmpdir(), "train-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "questions.jsonl");
  expect(await run(TRAIN, file)).toEqual({
    code: 1,
    said: `The question file ${file} can't be read.\nNothing was written.\n`,
  });
  writeFileSync(file, '{"text": "Do you repair lamps?", "articles": ["repairs"], "split": "dev"}\n');
  expect(await run(TRAIN, file)).toEqual({
    code: 1,
    said: `The knowledge folder ${join(folder, "articles")} does not exist or can't be read.\nNothing was written.\n`,
  });
});

test.each([
  ["train", TRAIN],
  ["train-claims", TRAIN_CLAIMS],
])("%s refuses an option that it does not know", async (_name, main) => {
  expect(await run(main, "--dry-run")).toEqual({ code: 2, said: expect.stringContaining("--dry-run") });
});

function run(main: string, ...args: string[]): Promise<{ code: unknown; said: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [main, ...args], (error, _out, said) => resolve({ code: error?.code, said })),
  );
}
