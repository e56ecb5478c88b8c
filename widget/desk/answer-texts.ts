import type { AnswerMade, MadePassage, MadeTool, NoQuote } from "../../shared/answer-made.ts";
import type { FeedbackScore } from "../../shared/feedback.ts";

const whole = new Intl.NumberFormat("en");
const passages = (count: number) => (count === 1 ? "1 passage" : `${count} passages`);

/** The desk's texts about an agent's answer: what it was made of, and how to make it better. */
export const answerTexts = {
  /** The customer's feedback on it. */
  feedback: {
    up: "The customer found this helpful",
    down: "The customer didn't find this helpful",
  } satisfies Record<FeedbackScore, string>,
  /** The line that is always visible. */
  summary({ passages: found, tools, noQuote }: AnswerMade): string {
    const quoted = found.filter(({ use }) => use === "quoted").length;
    if (quoted > 0) return `Made from ${passages(quoted)}`;
    if (noQuote !== undefined) return SUMMARIES[noQuote];
    const answered = tools.filter(({ status }) => status === "answered").length;
    if (answered > 0) return `Made with ${answered === 1 ? "1 tool" : `${answered} tools`}`;
    return "How this answer was made";
  },
  reason: {
    unsure: "No passage was likely enough to be quoted, so titles were offered.",
    nothing_near: "No article is close enough to the question.",
    no_source: "No source backed what the model said.",
    limit: "The token limit is reached, so no model was asked.",
    fixed: "A fixed reply, to small talk or to a request for a person. No article was searched.",
  } satisfies Record<NoQuote, string>,
  withheld: "A sentence was held back: no tool had confirmed it, or no source had its link.",
  passages: "Passages",
  use: {
    quoted: "quoted",
    offered: "offered by its title",
    found: "considered",
  } satisfies Record<MadePassage["use"], string>,
  likely: (probability: number) => `${Math.round(probability * 100)} % likely to answer`,
  tools: "Tools",
  tool: {
    answered: "returned a result",
    failed: "failed",
    asked: "asked for permission; its card shows the outcome",
  } satisfies Record<MadeTool["status"], string>,
  cost: "Cost",
  tokens: (input: number, output: number, isEstimate: boolean) =>
    `${isEstimate ? "about " : ""}${whole.format(input)} tokens read, ${whole.format(output)} written`,
  price: (amount: number, currency: string) =>
    new Intl.NumberFormat("en", { style: "currency", currency, maximumSignificantDigits: 3 }).format(amount),

  better: "Answer this better",
  changeArticle: "Change what it quoted:",
  underHeading: (heading: string) => `under “${heading}”`,
  noPlace: "It has no file or address. Find it by its title.",
  newArticle: "No article was quoted. Write one",
  inFolder: "in the folder",
  onSite: "on the pages of your site that the agent reads",
  suggestedTitle: "Suggested title:",
} as const;

const SUMMARIES: Record<NoQuote, string> = {
  unsure: "Why it only offered titles",
  nothing_near: "Why it found nothing",
  no_source: "Why it found nothing",
  limit: "Why it did not answer",
  fixed: "Why it searched no article",
};
