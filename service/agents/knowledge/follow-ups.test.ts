import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { questionOf } from "../../testing/agents.ts";
import { createKnowledgeAgent } from "./knowledge.ts";

const DEMO = join(import.meta.dirname, "../../../demo/articles");
const FILE = join(import.meta.dirname, "testing/follow-ups.jsonl");

const FollowUp = z.object({
  type: z.enum(["follow-up-customer", "follow-up-agent"]),
  before: z.array(z.object({ by: z.enum(["customer", "support"]), text: z.string() })),
  text: z.string(),
  articles: z.array(z.string()),
});
const SET = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => FollowUp.parse(JSON.parse(line)));

test.each([
  ["the customer", "follow-up-customer"],
  ["only the agent", "follow-up-agent"],
] as const)(
  "AGENT1 a follow-up whose subject %s named is answered or offered in 85 of 100",
  async (_who, type) => {
    const agent = await createKnowledgeAgent({ directory: DEMO });
    const own = SET.filter((one) => one.type === type);
    expect(own.length).toBeGreaterThan(45);
    const missed: string[] = [];
    for (const { before, text, articles } of own) {
      const said = [...before, { by: "customer", text } as const];
      const messages = said.map(({ by, text: body }, at) => ({
        id: `m${at}`,
        seq: at + 1,
        role: by === "customer" ? ("customer" as const) : ("agent" as const),
        body,
        at: "2026-01-01T00:00:00.000Z",
      }));
      const ids: string[] = [];
      for await (const event of agent.answer(questionOf(text, { messages }), new AbortController().signal)) {
        if (event.type === "citation") ids.push(event.citation.citationId);
        if (event.type === "choice") ids.push(event.choice.id);
      }
      if (!articles.some((article) => ids.includes(article))) missed.push(text);
    }
    expect(missed.length, missed.join("; ")).toBeLessThanOrEqual(own.length * 0.15);
  },
);
