import { join } from "node:path";
import { expect, test } from "vitest";
import { readQuestionSet } from "../../../tools/knowledge/question-file.ts";
import { measureSet } from "../../../tools/knowledge/report.ts";
import { createKnowledgeAgent } from "./knowledge.ts";

const measured = new Map<string, ReturnType<typeof measure>>();

/** Measured once for both tables. */
function rowsOf(name: string) {
  const rows = measured.get(name) ?? measure(name);
  measured.set(name, rows);
  return rows;
}

async function measure(name: string) {
  const set = readQuestionSet(join(import.meta.dirname, "testing", name), undefined);
  const questions = set.questions.filter(({ split }) => split === "test");
  const agent = await createKnowledgeAgent({ directory: set.articles });
  return (await measureSet(agent, { ...set, questions })).rows;
}

/**
 * The least share of found questions of the halves that the weights did not learn from. Then the most questions without an
 * article that may get a quote, which is one more than was measured: near ones, of the same subject, and far ones.
 */
test.each([
  ["german-shop", 0.8, 2, 1],
  ["english-shop", 0.75, 2, 1],
  ["english-saas", 0.6, 3, 1],
  ["german-transport", 0.8, 3, 3],
  ["english-energy", 0.8, 7, 1],
  ["english-telecom", 0.8, 3, 2],
  ["english-gym", 0.35, 2, 1],
  ["english-travel", 0.55, 2, 3],
])(
  "AGENT1 in %s at least %d of the questions in customers' own words are quoted or offered",
  async (name, least, mostNear, mostFar) => {
    const rows = await rowsOf(name);
    const rowOf = (kind: string) => {
      const row = rows.find(({ type }) => type === kind);
      if (row === undefined) throw new Error(`The set has no ${kind}.`);
      return row;
    };
    const row = rowOf("question");
    expect(row.found / row.questions).toBeGreaterThanOrEqual(least);
    expect(row.quotedWrong / row.questions).toBeLessThanOrEqual(0.06);
    expect(rowOf("unanswerable-near").quotedWrong, "near").toBeLessThanOrEqual(mostNear);
    expect(rowOf("unanswerable-far").quotedWrong, "far").toBeLessThanOrEqual(mostFar);
  },
);

test.each(["german-transport", "english-energy", "english-telecom"])(
  "AGENT1 in %s 80 of 100 follow-ups are quoted or offered, whoever named their subject",
  async (name) => {
    const rows = await rowsOf(name);
    for (const kind of ["follow-up-customer", "follow-up-agent"]) {
      const row = rows.find(({ type }) => type === kind);
      if (row === undefined) throw new Error(`The set has no ${kind}.`);
      expect(row.found / row.questions, kind).toBeGreaterThanOrEqual(0.8);
    }
  },
);
