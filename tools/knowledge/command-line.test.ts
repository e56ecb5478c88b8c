import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKnowledgeAgent } from "../../service/agents/knowledge/knowledge.ts";
import { openTestService } from "../../service/testing/test-service.ts";
import { runKnowledge } from "./command-line.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

function folderWith(articles: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "knowledge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(articles)) writeFileSync(join(folder, name), text);
  return folder;
}

const TEAPOTS = "# Teapots\n\nTeapots are red.\n\n## Cleaning\n\nClean teapots by hand.";
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runKnowledge({
    args,
    env,
    readFile: () => {
      throw new Error("ENOENT");
    },
    now: NOW,
  });
const json = async (args: readonly string[], env?: Record<string, string>) => {
  const { output, errors, exitCode } = await run([...args, "--json"], env);
  expect({ errors, exitCode }).toEqual({ errors: "", exitCode: 0 });
  return JSON.parse(output);
};

/** A service whose customers asked the questions, in this order, in a conversation each. */
async function asked(folder: string, ...questions: string[]) {
  const agent = await createKnowledgeAgent({ directory: folder });
  const t = await openTestService({ agents: [agent] });
  for (const [index, question] of questions.entries()) {
    const customer = await t.customer(`secret-customer-${index}`);
    await customer.say(await customer.start(), question);
    await t.service.settled();
  }
  return { t, env: { DATA_DIR: dirname(t.path), KNOWLEDGE_DIR: folder } };
}

describe("npm run knowledge -- ask", () => {
  test("prints what customers would get, with the passages and why they were chosen", async () => {
    const dir = folderWith({ "teapots.md": TEAPOTS });
    const { output, exitCode } = await run(["ask", "How do I clean teapots?", "--dir", dir]);
    expect(exitCode).toBe(0);
    expect(output).toContain('The agent quoted "Teapots".');
    expect(output).toContain("Clean teapots by hand.");
    expect(output).toMatch(/\d\.\d % {2}Teapots > Cleaning {2}\(teapots#1\)/);
    expect(output).toMatch(/unknown 0\.00/);
  });

  test("names the words that no article has, and says that nothing was found", async () => {
    const dir = folderWith({ "teapots.md": TEAPOTS });
    const { output } = await run(["ask", "Zebra crossing?", "--dir", dir]);
    expect(output).toContain("The agent found nothing and offered a person.");
    expect(output).toContain("In no article: zebra");
  });

  test("takes what was said before, by the customer and by the agent", async () => {
    const said = ["--said", "Tell me about teapots", "--said", "agent: Teapots are red."];
    const dir = folderWith({ "teapots.md": TEAPOTS });
    const found = await json(["ask", "Cleaning?", "--dir", dir, "--locale", "en-gb", ...said]);
    expect(found.said).toEqual([
      { by: "customer", text: "Tell me about teapots" },
      { by: "support", text: "Teapots are red." },
    ]);
    expect(found.locale).toBe("en-GB");
    expect(found.passages[0]).toMatchObject({ id: "teapots#1", article: { title: "Teapots" } });
    expect(found.passages[0].probability).toBeGreaterThan(0);
  });

  test.each([
    [["ask"], 2, "ask takes one question"],
    [["ask", "two", "questions"], 2, "ask takes one question"],
    [["ask", "a", "--locale", "x_"], 2, "--locale takes a language tag"],
    [["ask", "a", "--dir", "/nonexistent"], 1, "The knowledge folder /nonexistent does not exist"],
    [["find"], 2, "There is no command find."],
    [["gaps", "--days", "0"], 2, "--days takes a whole number"],
    [["gaps", "more"], 2, "more is not understood here."],
    [["gaps", "--all"], 2, "Unknown option '--all'"],
    [[], 2, "Name a command."],
  ])("%j ends with code %i and a sentence", async (args, code, sentence) => {
    const { output, errors, exitCode } = await run(args, { DATA_DIR: "/nonexistent" });
    expect({ output, exitCode }).toEqual({ output: "", exitCode: code });
    expect(errors).toContain(sentence);
  });
});

describe("npm run knowledge -- gaps", () => {
  test("groups the questions that found nothing, largest group first, and names no customer", async () => {
    const { env } = await asked(
      folderWith({ "teapots.md": TEAPOTS }),
      "Do you sell zebra blankets?",
      "What colour are teapots?",
      "Where is my umbrella?",
      "Which zebra blankets do you sell?",
    );
    const found = await json(["gaps"], env);
    expect(found).toMatchObject({ days: 7, questions: 4, missed: 3 });
    expect(found.groups).toEqual([
      {
        example: expect.stringContaining("zebra blankets"),
        questions: expect.arrayContaining([
          "Do you sell zebra blankets?",
          "Which zebra blankets do you sell?",
        ]),
      },
      { example: "Where is my umbrella?", questions: ["Where is my umbrella?"] },
    ]);
    const { output } = await run(["gaps"], env);
    expect(output).toContain("4 questions in 7 days, of which 3 found nothing (75 %).");
    expect(output).not.toContain("secret-customer");
  });

  test("HELP3 counts the answers that customers marked not helpful, with their questions", async () => {
    const { t, env } = await asked(
      folderWith({ "teapots.md": TEAPOTS }),
      "How do I clean teapots?",
      "What colour are teapots?",
      "Where is my umbrella?",
    );
    const none = await json(["gaps"], env);
    expect(none).toMatchObject({ missed: 1, notHelpful: { count: 0, groups: [] } });
    for (const [index, score] of (["down", "up"] as const).entries()) {
      const customer = await t.customer(`secret-customer-${index}`);
      const { conversations } = await (await customer.get("/v1/support/conversations")).json();
      const { id } = conversations[0];
      const messageId = (await customer.transcript(id)).messages.at(-1)?.id;
      await customer.post(`/v1/support/conversations/${id}/feedback`, { messageId, score });
    }
    const question = "How do I clean teapots?";
    const found = await json(["gaps"], env);
    const groups = [{ example: question, questions: [question] }];
    expect(found).toMatchObject({ questions: 3, missed: 1, notHelpful: { count: 1, groups } });
    const { output } = await run(["gaps"], env);
    expect(output).toContain(`Answers that were marked not helpful: 1.\n\n   1  ${question}`);
    expect(output).not.toContain("secret-customer");
  });

  test("reads the days that are asked for, while the service runs, and changes nothing", async () => {
    const { t, env } = await asked(folderWith({ "teapots.md": TEAPOTS }), "Where is my umbrella?");
    const before = statSync(t.path).mtimeMs;
    t.clock.advance(3 * 86_400_000);
    const later = { env, readFile: () => "", now: t.clock.now() };
    const found = async (days: string) =>
      JSON.parse((await runKnowledge({ ...later, args: ["gaps", "--json", "--days", days] })).output).missed;
    expect(await found("2")).toBe(0);
    expect(await found("4")).toBe(1);
    expect(statSync(t.path).mtimeMs).toBe(before);
  });

  test("one of several workspaces has to be named, and only its questions are read", async () => {
    const { t, env } = await asked(folderWith({ "teapots.md": TEAPOTS }), "Where is my umbrella?");
    const other = await t.addWorkspace("other");
    expect((await run(["gaps"], env)).errors).toContain("Name the workspace with --workspace, one of: ");
    expect(await json(["gaps", "--workspace", other.id], env)).toMatchObject({ questions: 0 });
    expect(await json(["gaps", "--workspace", t.workspace.id], env)).toMatchObject({ missed: 1 });
    const unknown = await run(["gaps", "--workspace", "none"], env);
    expect(unknown).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining("There is no workspace none."),
    });
  });

  test("without a database it says which folder it looked in", async () => {
    const { errors, exitCode } = await run(["gaps"], { DATA_DIR: "/nonexistent" });
    expect(exitCode).toBe(1);
    expect(errors).toContain("There is no database /nonexistent/service.sqlite");
  });
});

describe("npm run knowledge -- replay", () => {
  test("prints the questions that changed articles would answer otherwise, and only those", async () => {
    const before = folderWith({ "teapots.md": TEAPOTS });
    const { env } = await asked(before, "What colour are teapots?", "Where do I buy umbrellas?");
    expect(await json(["replay"], env)).toMatchObject({ questions: 2, differences: [] });
    const after = folderWith({ "umbrellas.md": "# Umbrellas\n\nBuy umbrellas in the store." });
    const found = await json(["replay", "--dir", after], env);
    expect(found).toMatchObject({ foundNow: 1, lostNow: 1 });
    const { output } = await run(["replay", "--dir", after], env);
    expect(output).toContain(
      'Where do I buy umbrellas?\n  then: found nothing and offered a person\n  now:  quoted "Umbrellas"',
    );
    expect(output).not.toContain("secret-customer");
  });
});
