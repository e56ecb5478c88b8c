import { languageNamed } from "../../service/agents/knowledge/analysis/languages.ts";
import type { Passage, Said } from "../../service/agents/knowledge/passages.ts";
import type { Message } from "../../shared/message.ts";
import type { openArticles } from "./open-articles.ts";
import { describeReply, replyOf } from "./reply.ts";

const EXCERPT = 160;

/** Answers `npm run knowledge -- ask`: what customers would get, and why. */
export async function askArticles(
  { agent, knowledge }: Awaited<ReturnType<typeof openArticles>>,
  asked: { readonly question: string; readonly said: readonly Said[]; readonly locale: string | undefined },
  json: boolean,
): Promise<string> {
  const { question, said, locale } = asked;
  const ranking = await knowledge.vectors?.rank(question, new AbortController().signal);
  const reply = await replyOf(agent, messagesOf([...said, { by: "customer", text: question }]), locale);
  const { passages, asked: words } = knowledge.search.find({
    text: question,
    before: said,
    ...(ranking ? { ranking } : {}),
  });
  if (json) {
    const found = passages.map(({ id, article, heading, text, probability, score, features }) => {
      return { id, article, heading, text, probability, score, features };
    });
    return JSON.stringify({ question, said, locale: locale ?? null, reply, words, passages: found }, null, 2);
  }
  const unknown = words.filter(({ forms }) => forms.length === 0).map(({ own }) => own);
  return [
    `The agent ${describeReply(reply)}.`,
    "",
    ...reply.text.split("\n").map((line) => `  ${line}`),
    "",
    unknown.length === 0
      ? "All words of the question are in the articles."
      : `In no article: ${unknown.join(", ")}.`,
    ...(locale !== undefined && !languageNamed(locale)
      ? [`The words of ${locale} are compared as written.`]
      : []),
    passages.length === 0 ? "No passage has a word of the question." : "Passages, the most probable first:",
    ...passages.flatMap(describePassage),
  ].join("\n");
}

function describePassage({ id, article, heading, text, probability, features }: Passage): string[] {
  const name = heading === article.title ? heading : `${article.title} > ${heading}`;
  const numbers = Object.entries(features).map(
    ([feature, value]) => `${feature} ${Number(value).toFixed(2)}`,
  );
  const line = text.replace(/\s+/g, " ");
  return [
    "",
    `${(100 * probability).toFixed(1).padStart(5)} %  ${name}  (${id})`,
    `         ${line.length > EXCERPT ? `${line.slice(0, EXCERPT).toWellFormed()}…` : line}`,
    `         ${numbers.join(", ")}`,
  ];
}

/** A conversation of these messages, as an agent gets it. */
export function messagesOf(said: readonly Said[]): Message[] {
  return said.map(({ by, text }, index) => ({
    id: `msg_${index + 1}`,
    seq: index + 1,
    role: by === "customer" ? "customer" : "agent",
    body: text,
    at: new Date(0).toISOString(),
  }));
}
