import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../shared/message.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";
import { questionOf } from "../testing/agents.ts";
import type { Agent } from "./agent.ts";
import { readArticleFiles } from "./article-files.ts";
import { createKnowledgeAgent } from "./knowledge.ts";
import { OFF_TOPIC, QUESTIONS } from "./knowledge-questions.ts";
import { ANSWER_FRAME, GREETING, NOTHING_FOUND, YOU_ARE_WELCOME } from "./knowledge-texts.ts";

const DEMO = join(import.meta.dirname, "../../demo/articles");
/** The one sentence that the agent puts between quotes. */
const LEFT_OUT = /^\*Quoted here: \d+ of \d+ (?:lines|sentences|steps)\. The article has the others\.\*$/;
const noPace = () => Promise.resolve();
let agent: Agent;

beforeAll(async () => {
  agent = await createKnowledgeAgent({ directory: DEMO, baseUrl: "https://shop.example", pace: noPace });
});

describe("answers", () => {
  it.each(QUESTIONS)("%s is answered from %s", async (text, article) => {
    const { citations, foundNothing } = await ask(agent, text);
    expect(foundNothing).toBe(false);
    expect(citations[0]?.citationId).toBe(article);
  });

  it.each(OFF_TOPIC)("%s finds nothing and says so", async (text) => {
    const answer = await ask(agent, text);
    expect(answer).toMatchObject({
      text: NOTHING_FOUND,
      foundNothing: true,
      citations: [],
      suggestsPerson: true,
    });
  });

  it("every quoted line stands in a cited article, word for word", async () => {
    const articles = new Map<string, string>();
    for (const file of await readArticleFiles(DEMO)) {
      articles.set(file.path.replace(".md", ""), plainOf(await readFile(join(DEMO, file.path), "utf8")));
    }
    for (const [text] of QUESTIONS) {
      const { text: said, citations } = await ask(agent, text);
      expect(said.startsWith(`${ANSWER_FRAME}\n\n`)).toBe(true);
      const sources = citations.map(({ citationId }) => articles.get(citationId) ?? "").join("\n");
      for (const piece of quotedPieces(said)) expect(sources).toContain(piece);
    }
  });

  it("a sentence that is not from the articles is detected (control)", () => {
    const article = plainOf("We refund **within 5 days**.");
    expect(
      quotedPieces(`${ANSWER_FRAME}\n\nWe refund **within 9 days**.`).every((p) => article.includes(p)),
    ).toBe(false);
  });

  it("one to three passages are quoted, with title, link and excerpt of their article", async () => {
    for (const [text] of QUESTIONS) {
      const { text: said, citations } = await ask(agent, text);
      const passages = said
        .split("\n\n")
        .slice(1)
        .filter((passage) => !/^\*\*[^*]+\*\*$/.test(passage) && !LEFT_OUT.test(passage));
      expect(passages.length).toBeGreaterThanOrEqual(1);
      expect(passages.length).toBeLessThanOrEqual(3);
      for (const citation of citations) {
        expect(citation.url).toMatch(/^https:\/\/shop\.example\/help\//);
        expect(citation.title.length).toBeGreaterThan(3);
        expect(citation.excerpt?.length ?? 0).toBeLessThanOrEqual(300);
      }
    }
  });

  it("a row of a table is chosen by the word that sets it apart", async () => {
    const { text } = await ask(agent, "How much is delivery to Ireland?");
    expect(text).toContain("**Ireland**: Where to: Republic of Ireland");
    expect(text).not.toContain("Express");
  });

  it("a question without a subject of its own is about the question before it", async () => {
    const messages = [
      message(1, "customer", "How do I return a lamp?"),
      message(2, "agent", "…"),
      message(3, "customer", "And how long does it take?"),
    ];
    expect((await ask(agent, "And how long does it take?", messages)).foundNothing).toBe(false);
    expect((await ask(agent, "And how long does it take?")).foundNothing).toBe(true);
    const strayed = [...messages.slice(0, 2), message(3, "customer", "Who won the world cup?")];
    expect((await ask(agent, "Who won the world cup?", strayed)).foundNothing).toBe(true);
  });

  it("a greeting and a thank-you get a fixed polite answer without a source", async () => {
    for (const text of ["hi", "Hello!", "good morning", "Hey there 👋"]) {
      expect(await ask(agent, text)).toMatchObject({ text: GREETING, foundNothing: false, citations: [] });
    }
    for (const text of ["thanks", "Thank you so much!", "Great, thanks"]) {
      expect((await ask(agent, text)).text).toBe(YOU_ARE_WELCOME);
    }
    expect((await ask(agent, "hi, where is my order?")).citations[0]?.citationId).toBe("order-tracking");
  });

  it("only the customer's own messages are searched with, not what others wrote", async () => {
    const messages = [message(1, "agent", "refund refund refund"), message(2, "customer", "And how long?")];
    expect((await ask(agent, "And how long?", messages)).foundNothing).toBe(true);
  });
});

describe("streaming", () => {
  it("the deltas are small and their sum is the text", async () => {
    const deltas: string[] = [];
    for await (const event of agent.answer(questionOf("How do returns work?"), live())) {
      if (event.type === "delta") deltas.push(event.text);
    }
    expect(deltas.length).toBeGreaterThan(10);
    expect(Math.max(...deltas.map((delta) => delta.trim().split(/\s+/).length))).toBeLessThanOrEqual(2);
  });

  it("an abort makes the answer throw instead of end", async () => {
    const controller = new AbortController();
    const said: string[] = [];
    const run = async () => {
      for await (const event of agent.answer(questionOf("How do returns work?"), controller.signal)) {
        said.push(event.type);
        if (said.length === 3) controller.abort(new Error("the customer left"));
      }
    };
    await expect(run()).rejects.toThrow("the customer left");
    expect(said).toHaveLength(3);
  });

  it("an abort ends the wait between two deltas at once", async () => {
    const controller = new AbortController();
    const real = await createKnowledgeAgent({
      directory: DEMO,
      pace: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
          controller.abort();
        }),
    });
    const run = async () => {
      for await (const _ of real.answer(questionOf("How do returns work?"), controller.signal));
    };
    await expect(run()).rejects.toThrow("aborted");
  });

  it("the event loop is free between two deltas, also at full speed", async () => {
    const real = await createKnowledgeAgent({ directory: DEMO });
    let turns = 0;
    const count = () => {
      turns += 1;
      handle = setImmediate(count);
    };
    let handle = setImmediate(count);
    for await (const event of real.answer(questionOf("gift card"), live())) {
      if (event.type === "citation") break;
    }
    clearImmediate(handle);
    expect(turns).toBeGreaterThan(10);
  });

  it("a very long question is answered without a delay that grows with it", async () => {
    const answer = await ask(agent, `${"word ".repeat(900)}refund`);
    expect(answer.foundNothing).toBe(true);
    expect((await ask(agent, `where is my refund? ${"a".repeat(4000)}`)).citations[0]?.citationId).toBe(
      "refunds",
    );
  });
});

function message(seq: number, role: Message["role"], body: string): Message {
  return { id: `m${seq}`, seq, role, body, at: "2026-01-01T00:00:00.000Z" };
}

function live(): AbortSignal {
  return new AbortController().signal;
}

async function ask(who: Agent, text: string, messages: readonly Message[] = []) {
  let said = "";
  let foundNothing = false;
  const citations: Citation[] = [];
  let suggestsPerson = false;
  for await (const event of who.answer(questionOf(text, { messages }), live())) {
    if (event.type === "delta") said += event.text;
    else if (event.type === "citation") citations.push(event.citation);
    else if (event.type === "handoff.suggested") suggestsPerson = true;
    else if (event.type === "nothing.found") foundNothing = true;
  }
  return { text: said, citations, suggestsPerson, foundNothing };
}

/** The text without Markdown, by the test's own rules: no marks, no link targets, no table signs. */
function plainOf(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replace(/\s+/g, " ");
}

/** The quoted pieces of an answer, each of which must be in an article: sentences, items, cells. */
function quotedPieces(said: string): string[] {
  const lines = said
    .replace(ANSWER_FRAME, "")
    .split("\n")
    .filter((line) => !LEFT_OUT.test(line));
  return lines.flatMap((line) => {
    const text = plainOf(line.replace(/^(?:- |\d+\. )/, "")).trim();
    return line.includes(" · ") || /^- \*\*[^*]+\*\*: [^:]+: /.test(line) ? text.split(/ · |: /) : [text];
  });
}
