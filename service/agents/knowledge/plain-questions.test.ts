import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { questionOf } from "../../testing/agents.ts";
import type { Agent } from "../agent.ts";
import { type Article, parseArticle } from "./article.ts";
import { createKnowledgeAgent } from "./knowledge.ts";
import { ENGLISH, leftOut } from "./knowledge-texts.ts";
import { readArticleFiles } from "./sources/article-folder.ts";
import { OFF_TOPIC, QUESTIONS } from "./testing/knowledge-questions.ts";

const DEMO = join(import.meta.dirname, "../../../demo/articles");
const HOURS = ["**Monday to Friday**", "**Saturday**", "**Sunday**"];
const METHODS = ["Visa, Mastercard", "**PayPal**", "**Apple Pay and", "**Klarna", "**Gift card**"];
const DELIVERY = ["**Standard**", "**Express**", "**Large furniture**", "**Ireland**", "**Europe**"];
const RETURN = ["free with our label", "£4.95", "£29.00"];
const MATERIALS = ["**Oak", "**Linen", "**Wool", "**Stoneware**", "**Cast iron**", "**Brass"];
const WARRANTY = ["**Furniture**", "**Lamps and lighting**", "**Cast iron cookware**", "**Everything else**"];
const BANK = ["**Credit or debit card**", "**PayPal**", "**Apple Pay or", "**Klarna**", "**Gift card**"];
const STATUS = ["**Received**", "**Packing**", "**On its way**", "**Delivered**"];
const ONE_OF = (all: number) => leftOut(1, all);

/** Plain questions, each with everything that the answer needs so that nobody reads something false into it. */
const WHOLE: readonly (readonly [question: string, holds: readonly string[]])[] = [
  ["What are your opening hours?", [...HOURS, "public holidays"]],
  ["When are you open?", HOURS],
  ["Are you open on Tuesday?", HOURS],
  ["What are your phone hours?", HOURS],
  ["opening hours saturday and tuesday", HOURS],
  ["Which payment methods do you accept?", [...METHODS, "do not accept cash"]],
  ["How can I pay for my order?", [...METHODS, "do not accept cash"]],
  ["What payment methods are there?", METHODS],
  ["Can I pay by bank transfer?", [...METHODS, "do not accept cash on delivery, cheques, bank transfer"]],
  ["How do I clean wool?", MATERIALS],
  ["How long does delivery take?", DELIVERY],
  ["How much is delivery?", DELIVERY],
  ["How much is delivery to France?", DELIVERY],
  ["Do you ship to Norway?", ["Norway and Switzerland", ...DELIVERY]],
  ["What does a return cost?", [...RETURN, "the return is always free"]],
  ["Is returning free?", RETURN],
  ["How long do I have to return something?", ["30 days of delivery"]],
  ["Until when can I return it?", ["30 days of delivery"]],
  ["How do I return something?", ["Print the return label"]],
  ["Is a return from Germany free?", RETURN],
  ["I live in the United Kingdom, what does a return of a sofa cost?", RETURN],
  ["How long is the warranty?", WARRANTY],
  ["How long does a refund take?", ["within 5 working days", ...BANK]],
  ["What does the order status mean?", STATUS],
  ["What do you offer if something is damaged?", ["**Damaged on the way**", "**Small flaw**"]],
  ["Can I cancel my order after two hours?", ["within 60 minutes", "After 60 minutes, contact us"]],
  ["What cannot be returned?", ["curtains", "Candles", "Pillows", "Gift cards"]],
  ["What if the wrong item came?", ["press **Report a problem**", "in the same way with a photo"]],
  ["When will I be charged?", METHODS],
  ["Can I use two discount codes?", ["Only one discount code"]],
  ["Why is my account locked?", ["lock the account for 15 minutes"]],
  ["How can I contact you?", ["0117 496 0188", "hello@harbourandpine.example"]],
  ["Is express delivery refunded?", ["Express and large furniture delivery are not refunded"]],
  ["Where's my parcel??", ["where your parcel is"]],
  ["Where is my package?", ["where your parcel is"]],
];

/** Questions that name a row: the answer has only that row, and says that there are more. */
const ONE_ROW: readonly (readonly [question: string, holds: readonly string[], not: readonly string[]])[] = [
  ["Are you open on Sunday?", ["**Sunday**", ONE_OF(3)], ["**Saturday**"]],
  ["Are you open on Monday?", ["**Monday to Friday**", ONE_OF(3)], ["**Sunday**"]],
  ["Can I pay by Visa?", ["Visa, Mastercard", ONE_OF(5)], ["**Klarna", "**Apple Pay"]],
  ["Do you take American Express?", ["American Express", ONE_OF(5)], ["**PayPal**"]],
  ["How do I clean a wool rug?", ["**Wool rugs and throws**", ONE_OF(6)], ["**Linen"]],
  ["How much is delivery to Ireland?", ["**Ireland**", ONE_OF(5)], ["**Express**"]],
  ["How long is the warranty on lamps?", ["**Lamps and lighting**", ONE_OF(4)], ["**Furniture**"]],
  ["How long does a refund to PayPal take?", ["**PayPal**", ONE_OF(5)], ["**Klarna**"]],
  ["What does the status packing mean?", ["**Packing**", ONE_OF(4)], ["**Delivered**"]],
  ["How long is a gift card valid?", ["24 months", ONE_OF(4)], ["£10 to £250"]],
  ["Can I change the payment method of my order?", ["not possible after ordering", ONE_OF(4)], ["**Cancel"]],
  ["How much does express cost to Norway?", ["**Express**", "**Europe**", leftOut(2, 5)], []],
];

let agent: Agent;
let articles: Map<string, Article>;

beforeAll(async () => {
  agent = await createKnowledgeAgent({ directory: DEMO });
  const { files } = await readArticleFiles(DEMO);
  articles = new Map(
    files.map(({ path, text }) => parseArticle(path, text)).map((article) => [article.id, article]),
  );
});

describe("a plain question", () => {
  it.each(WHOLE)("AGENT1 %s is answered completely", async (question, holds) => {
    const { text } = await ask(agent, question);
    for (const piece of holds) expect(text).toContain(piece);
  });

  it.each(ONE_ROW)(
    "AGENT1 %s names a row, and the answer says that there are others",
    async (question, holds, not) => {
      const { text } = await ask(agent, question);
      for (const piece of holds) expect(text).toContain(piece);
      for (const piece of not) expect(text).not.toContain(piece);
    },
  );

  it("AGENT1 a passage that is quoted in part says how much of it is quoted, for every question", async () => {
    const questions = [...QUESTIONS, ...WHOLE, ...ONE_ROW].map(([question]) => question);
    for (const question of questions) {
      const { text, cited } = await ask(agent, question);
      expect(unmarked(text, cited), question).toEqual([]);
    }
  });

  it("a row that is left out without notice is detected (control)", async () => {
    const { text, cited } = await ask(agent, "What are your opening hours?");
    const spoilt = text.replace(/\| \*\*Saturday.*\n/, "");
    expect(unmarked(spoilt, cited)).toEqual(["Opening hours: 2 of 3"]);
    const counted = `${spoilt}\n\n${leftOut(2, 3)}`;
    expect(unmarked(counted, cited)).toEqual([]);
  });

  it.each(OFF_TOPIC)("AGENT2 an answer that found nothing offers a person: %s", async (question) => {
    const { text } = await ask(agent, question);
    expect(text.split("\n\n")[0]).toBe(ENGLISH.nothingFound);
    expect(ENGLISH.nothingFound).toMatch(/talk to a person/);
  });
});

/** Passages of the cited articles that `text` quotes in part without saying so. */
function unmarked(text: string, cited: readonly string[]): string[] {
  const lines = text.split("\n").map((line) => line.replace(/^(?:- |\d+\. )/, ""));
  const faults: string[] = [];
  for (const id of cited) {
    for (const { heading, passages } of articles.get(id)?.sections ?? []) {
      // Only below its own heading, because two tables of an article may have rows of the same name.
      const from = text.indexOf(`**${heading}**`);
      if (from < 0) continue;
      for (const passage of passages) {
        const whole = passage.kind === "paragraph";
        const quoted = passage.lines.filter(({ marked }) =>
          whole ? text.includes(marked) : lines.includes(marked),
        ).length;
        const all = passage.lines.length;
        if (quoted === 0 || quoted === all || text.includes(leftOut(quoted, all))) continue;
        faults.push(`${heading}: ${quoted} of ${all}`);
      }
    }
  }
  return faults;
}

async function ask(who: Agent, text: string): Promise<{ text: string; cited: string[] }> {
  let said = "";
  const cited: string[] = [];
  const question = questionOf(text);
  for await (const event of who.answer(question, new AbortController().signal)) {
    if (event.type === "delta") said += event.text;
    if (event.type === "citation") cited.push(event.citation.citationId);
  }
  return { text: said, cited };
}
