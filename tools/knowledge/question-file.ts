import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { StartError } from "../../shared/server/start-error.ts";

/** One line of a question file. */
const Question = z.object({
  text: z.string(),
  /** The ids of the articles that answer it; empty where none does. */
  articles: z.array(z.string()),
  split: z._default(z.enum(["dev", "test"]), "test"),
  type: z._default(z.string(), "question"),
  /** A correct quote contains at least one of these texts. */
  spans: z._default(z.array(z.string()), []),
  /** The messages before the question, oldest first. */
  before: z._default(z.array(z.object({ by: z.enum(["customer", "support"]), text: z.string() })), []),
});
export type Question = z.infer<typeof Question>;

export interface QuestionSet {
  readonly name: string;
  readonly file: string;
  readonly questions: readonly Question[];
  /** The folder of its articles. */
  readonly articles: string;
}

/**
 * Reads a question file (JSON lines), or `questions.jsonl` of a folder. Its articles are in `articles` beside it.
 *
 * @throws StartError with one sentence
 */
export function readQuestionSet(given: string, directory: string | undefined): QuestionSet {
  const path = resolve(given);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, "questions.jsonl") : path;
  const folder = dirname(file);
  return {
    name: isFolder ? basename(path) : basename(file, ".jsonl"),
    file,
    questions: linesOf(file).map((line, index) => questionOf(line, `${file}, line ${index + 1},`)),
    articles: directory ?? join(folder, "articles"),
  };
}

/**
 * Returns the questions of a split, whose articles must exist.
 *
 * @throws StartError with one sentence for an id that no article has, and for a split without questions
 */
export function selectQuestions(
  { file, questions }: QuestionSet,
  split: "dev" | "test" | "all",
  known: ReadonlySet<string>,
): readonly Question[] {
  for (const [index, { articles }] of questions.entries()) {
    const unknown = articles.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw new StartError(`${file}, line ${index + 1}: there is no article ${JSON.stringify(unknown)}.`);
  }
  const selected = questions.filter((question) => split === "all" || question.split === split);
  if (selected.length > 0) return selected;
  throw new StartError(`${file} has no question with the split ${split}. --split all takes every question.`);
}

function linesOf(file: string): string[] {
  const content = contentOf(file);
  if (!isUtf8(content)) throw new StartError(`The question file ${file} is not UTF-8.`);
  return content.toString("utf8").trim().split(/\r?\n/);
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new StartError(`The question file ${file} can't be read.`, { cause });
  }
}

function questionOf(line: string, place: string): Question {
  try {
    return Question.parse(JSON.parse(line));
  } catch (cause) {
    const form = '{"text": "…", "articles": ["id"]}';
    throw new StartError(`${place} is no question: a line is JSON such as ${form}.`, { cause });
  }
}
