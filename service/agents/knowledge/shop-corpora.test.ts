import { join } from "node:path";
import { expect, test } from "vitest";
import { readQuestionSet } from "../../../tools/knowledge/question-file.ts";
import { measureSet } from "../../../tools/knowledge/report.ts";
import { createKnowledgeAgent } from "./knowledge.ts";

/** The least share of found questions of the halves that the weights did not learn from. */
test.each([
  ["german-shop", 0.8],
  ["english-shop", 0.75],
  ["english-saas", 0.6],
  ["german-transport", 0.8],
])(
  "AGENT1 in %s at least %d of the questions in customers' own words are quoted or offered",
  async (name, least) => {
    const set = readQuestionSet(join(import.meta.dirname, "testing", name), undefined);
    const questions = set.questions.filter(({ split }) => split === "test");
    const agent = await createKnowledgeAgent({ directory: set.articles });
    const { rows } = await measureSet(agent, { ...set, questions });
    const row = rows.find(({ type }) => type === "question");
    if (row === undefined) throw new Error("The set has no questions.");
    expect(row.found / row.questions).toBeGreaterThanOrEqual(least);
    expect(row.quotedWrong / row.questions).toBeLessThanOrEqual(0.06);
    for (const { type, quotedWrong, questions: asked } of rows.filter(({ isAnswerable }) => !isAnswerable)) {
      expect(quotedWrong / asked, type).toBeLessThanOrEqual(0.1);
    }
  },
);
