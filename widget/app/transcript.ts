import type { Message } from "../../shared/message.ts";
import { kindsAsText } from "../../shared/message-kinds/as-text.ts";
import { authorOf } from "./author-name.ts";
import type { LogState, Pending } from "./log-state.ts";
import type { Texts } from "./texts.ts";

/**
 * The conversation as a text to keep: what the service confirmed, in its order, with times and authors; then what it did
 * not confirm, marked so. Later lines of a message are set in, so that none of them passes for another's message.
 * @param timeOf writes a moment for the reader
 */
export function transcriptOf(
  { messages, pending }: Pick<LogState, "messages" | "pending">,
  texts: Texts,
  timeOf: (at: string) => string,
): string {
  const entries = [
    ...messages.map((message) => {
      const author = authorOf(texts, message.role, message.author?.name);
      return entryOf(`${timeOf(message.at)} · ${author}`, wordsOf(message, texts));
    }),
    ...pending.map((waiting) => entryOf(`${texts.you} (${texts.notConfirmed})`, wordsOf(waiting, texts))),
  ];
  return `${texts.title} · ${texts.log}\n\n${entries.join("\n\n")}\n`;
}

function wordsOf(said: Message | Pending, texts: Texts): string[] {
  const notice = "notice" in said && (said.role === "system" || !said.body) && said.notice;
  const body = notice ? texts[`notice_${notice}`] : said.body;
  const isCut = "incomplete" in said && said.incomplete;
  return [
    ...(body === "" ? [] : body.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)),
    ...kindsAsText(said, texts),
    ...(isCut ? [`(${texts.incomplete})`] : []),
  ];
}

function entryOf(head: string, words: readonly string[]): string {
  // A name with a line break must not look like another line.
  return [head.replace(/\s+/g, " "), ...words.map((line) => `    ${line}`)].join("\n");
}
