import type { AskedQuestion } from "../../service/store/sqlite/asked-questions.ts";
import { groupAlike } from "./alike.ts";
import { replyIn } from "./reply.ts";

const MOST_EXAMPLES = 5;
const MAX_SHOWN = 200;

/** Answers `npm run knowledge -- gaps`: the questions that found nothing, grouped by likeness. */
export function describeGaps(asked: readonly AskedQuestion[], days: number, json: boolean): string {
  const questions = asked.map(({ messages, locale }) => ({ text: messages.at(-1)?.body ?? "", locale }));
  const missed = questions.filter((_, index) => isMissed(asked[index]));
  const groups = groupAlike(missed);
  if (json)
    return JSON.stringify({ days, questions: questions.length, missed: missed.length, groups }, null, 2);
  const share = questions.length === 0 ? "" : ` (${Math.round((100 * missed.length) / questions.length)} %)`;
  return [
    `${questions.length} questions in ${days} days, of which ${missed.length} found nothing${share}.`,
    ...groups.flatMap(({ example, questions: own }) => [
      "",
      `${String(own.length).padStart(4)}  ${oneLine(example)}`,
      ...[...new Set(own.map(oneLine))]
        .filter((text) => text !== oneLine(example))
        .slice(0, MOST_EXAMPLES)
        .map((text) => `      ${text}`),
    ]),
  ].join("\n");
}

function isMissed(asked: AskedQuestion | undefined): boolean {
  return asked !== undefined && replyIn(asked.answer).outcome === "nothing";
}

export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}…` : line;
}
