import { join } from "node:path";
import type { Said } from "../../service/agents/knowledge/passages.ts";
import { type AskedQuestion, readAskedQuestions } from "../../service/store/sqlite/asked-questions.ts";
import type { Environment } from "../../shared/server/environment.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { asksForHelp } from "../asks-for-help.ts";
import type { CommandResult } from "../command-result.ts";
import { askArticles } from "./ask.ts";
import { describeGaps } from "./gaps.ts";
import { openArticles } from "./open-articles.ts";
import { readQuestionSet, selectQuestions } from "./question-file.ts";
import { replayQuestions } from "./replay.ts";
import { describeReports, measureSet, type Report } from "./report.ts";
import { type Arguments, readArguments, USAGE, UsageError } from "./usage.ts";

export interface CommandOptions {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Command = (options: CommandOptions, args: Arguments) => Promise<string>;

const DAY_MS = 86_400_000;

const COMMANDS: Readonly<Record<string, Command>> = {
  async ask(options, args) {
    const [question = "", ...more] = args.rest;
    if (question.trim() === "" || more.length > 0) {
      throw new UsageError('ask takes one question, in quotes: ask "How long does delivery take?"');
    }
    const articles = await openArticles({ ...options, directory: args.directory });
    return askArticles(articles, { question, said: args.said.map(saidOf), locale: args.locale }, args.json);
  },
  async report(options, args) {
    if (args.rest.length === 0)
      throw new UsageError("report takes at least one question file, or a folder with one.");
    const reports: Report[] = [];
    for (const path of args.rest) {
      const set = readQuestionSet(path, args.directory);
      const { agent, knowledge } = await openArticles({ ...options, directory: set.articles });
      const ids = new Set(knowledge.search.all.map(({ article }) => article));
      const questions = selectQuestions(set, args.split, ids);
      reports.push(await measureSet(agent, { ...set, questions }));
    }
    return args.json ? JSON.stringify(reports, null, 2) : describeReports(reports);
  },
  async gaps(options, args) {
    const { days = 7 } = args;
    return describeGaps(readQuestions(options, args, days), days, args.json);
  },
  async replay(options, args) {
    const { days = 1 } = args;
    const asked = readQuestions(options, args, days);
    const { agent } = await openArticles({ ...options, directory: args.directory });
    return replayQuestions(agent, asked, days, args.json);
  },
};

/** Carries out one command of `npm run knowledge`. */
export async function runKnowledge(options: CommandOptions): Promise<CommandResult> {
  if (asksForHelp(options.args)) return { output: USAGE, errors: "", exitCode: 0 };
  try {
    const args = readArguments(options.args);
    const command = Object.hasOwn(COMMANDS, args.command) ? COMMANDS[args.command] : undefined;
    if (!command)
      throw new UsageError(args.command === "" ? "Name a command." : `There is no command ${args.command}.`);
    return { output: `${await command(options, args)}\n`, errors: "", exitCode: 0 };
  } catch (error) {
    if (error instanceof UsageError)
      return { output: "", errors: `${error.message}\n\n${USAGE}`, exitCode: 2 };
    if (error instanceof StartError) return { output: "", errors: `${error.message}\n`, exitCode: 1 };
    throw error;
  }
}

function readQuestions(
  { env, now }: CommandOptions,
  { rest, workspace }: Arguments,
  days: number,
): AskedQuestion[] {
  if (rest.length > 0) throw new UsageError(`${rest.join(" ")} is not understood here.`);
  const path = join(env["DATA_DIR"]?.trim() || "./data", "service.sqlite");
  const asked: AskedQuestion[] = [];
  readAskedQuestions(path, { workspace, since: now - days * DAY_MS }, (question) => asked.push(question));
  return asked;
}

function saidOf(text: string): Said {
  const agents = /^agent:\s*/i.exec(text);
  if (agents) return { by: "support", text: text.slice(agents[0].length) };
  return { by: "customer", text: text.replace(/^customer:\s*/i, "") };
}
