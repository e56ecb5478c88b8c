import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const TRAIN = fileURLToPath(new URL("train-main.ts", import.meta.url));
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
  const ended = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(process.execPath, [TRAIN, file + weight], (error, _out, said) =>
      resolve({ code: error?.code, said }),
    ),
  );
  expect(ended).toEqual({ code: 1, said: expect.stringContaining(reason) });
  expect(readFileSync(WEIGHTS, "utf8")).toBe(before);
});
