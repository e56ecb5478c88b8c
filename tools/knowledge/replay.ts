import { setImmediate as nextTurn } from "node:timers/promises";
import type { Agent } from "../../service/agents/agent.ts";
import type { AskedQuestion } from "../../service/store/sqlite/asked-questions.ts";
import { counted } from "../counted.ts";
import { oneLine } from "./gaps.ts";
import { describeReply, type Reply, replyIn, replyOf } from "./reply.ts";

interface Difference {
  readonly question: string;
  readonly before: Reply;
  readonly after: Reply;
}

/** Answers `npm run knowledge -- replay`: which questions would be answered otherwise by the articles of now. */
export async function replayQuestions(
  agent: Agent,
  asked: readonly AskedQuestion[],
  days: number,
  json: boolean,
): Promise<string> {
  const differences: Difference[] = [];
  for (const { messages, locale, answer } of asked) {
    const before = replyIn(answer);
    const after = await replyOf(agent, messages, locale);
    if (keyOf(before) !== keyOf(after))
      differences.push({ question: messages.at(-1)?.body ?? "", before, after });
    await nextTurn();
  }
  const foundNow = differences.filter(
    ({ before, after }) => before.outcome === "nothing" && after.outcome !== "nothing",
  ).length;
  const lostNow = differences.filter(
    ({ before, after }) => before.outcome !== "nothing" && after.outcome === "nothing",
  ).length;
  if (json) return JSON.stringify({ days, questions: asked.length, foundNow, lostNow, differences }, null, 2);
  return [
    `${counted(asked.length, "question")} in ${counted(days, "day")}: ${differences.length} would be answered otherwise now; ${foundNow} that found nothing would find something, ${lostNow} would find nothing any more.`,
    ...differences.flatMap(({ question, before, after }) => [
      "",
      oneLine(question),
      `  then: ${describeReply(before)}`,
      `  now:  ${describeReply(after)}`,
    ]),
  ].join("\n");
}

/** The wording of an article may change; which articles are quoted and offered is what counts. */
function keyOf({ outcome, quoted, offered, text }: Reply): string {
  return JSON.stringify([outcome, quoted, offered, outcome === "talk" ? text : ""]);
}
