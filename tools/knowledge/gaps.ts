import type { AskedQuestion } from "../../service/store/sqlite/asked-questions.ts";
import { counted } from "../counted.ts";
import { type Group, groupAlike } from "./alike.ts";
import { replyIn } from "./reply.ts";

const MOST_EXAMPLES = 5;
const MAX_SHOWN = 200;

/**
 * Answers `npm run knowledge -- gaps`: the questions that found nothing, and those whose answer was marked not helpful, each
 * grouped by likeness.
 */
export function describeGaps(asked: readonly AskedQuestion[], days: number, json: boolean): string {
  const missed = asked.filter(({ answer }) => replyIn(answer).outcome === "nothing");
  const notHelpful = asked.filter(({ answer }) => answer.feedback === "down");
  const questions = asked.length;
  const groups = groupsOf(missed);
  const marked = { count: notHelpful.length, groups: groupsOf(notHelpful) };
  if (json)
    return JSON.stringify({ days, questions, missed: missed.length, groups, notHelpful: marked }, null, 2);
  const share = questions === 0 ? "" : ` (${Math.round((100 * missed.length) / questions)} %)`;
  return [
    `${counted(questions, "question")} in ${counted(days, "day")}, of which ${missed.length} found nothing${share}.`,
    ...linesOf(groups),
    "",
    `Answers that were marked not helpful: ${marked.count}.`,
    ...linesOf(marked.groups),
  ].join("\n");
}

function groupsOf(asked: readonly AskedQuestion[]): Group[] {
  return groupAlike(asked.map(({ messages, locale }) => ({ text: messages.at(-1)?.body ?? "", locale })));
}

function linesOf(groups: readonly Group[]): string[] {
  return groups.flatMap(({ example, questions }) => [
    "",
    `${String(questions.length).padStart(4)}  ${oneLine(example)}`,
    ...[...new Set(questions.map(oneLine))]
      .filter((text) => text !== oneLine(example))
      .slice(0, MOST_EXAMPLES)
      .map((text) => `      ${text}`),
  ]);
}

export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line;
}
