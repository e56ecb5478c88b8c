import type { Message } from "../../shared/message.ts";
import { kindsAsText, LINE_END } from "../../shared/message-kinds/as-text.ts";
import { authorOf } from "./author-name.ts";
import type { LogState, Pending } from "./log-state.ts";
import { wordsOfMessage } from "./message-words.ts";
import type { Texts } from "./texts.ts";

export interface TranscriptReader {
  readonly texts: Texts;
  /** Formats a time for the reader. */
  readonly timeOf: (at: string) => string;
  /** An agent's or a person's text without its marks, with the addresses of its links. */
  readonly wordsOf: (text: string) => string;
}

type Said = Pick<LogState, "messages" | "pending">;

interface Entry {
  readonly author: string;
  /** Absent for what was not confirmed. */
  readonly time?: string;
  /** True for what software wrote, which the page marks for programs too. */
  readonly isGenerated?: boolean;
  readonly lines: readonly string[];
}

/**
 * The conversation as a text to save: first the messages that the service confirmed, in its order, with times and
 * authors; then unconfirmed ones, marked as such. Later lines of a message are indented, so none can look like another
 * message.
 */
export function transcriptOf(said: Said, reader: TranscriptReader): string {
  const entries = entriesOf(said, reader).map(({ author, time, lines }) =>
    [time ? `${time} · ${author}` : author, ...lines.map((line) => `    ${line}`)].join("\n"),
  );
  return `${titleOf(reader.texts)}\n\n${entries.join("\n\n")}\n`;
}

/**
 * The same as an HTML document to read, print or save. Every text is escaped, and its policy lets it run and load nothing.
 * @param language the document's language and direction
 */
export function transcriptPage(
  said: Said,
  reader: TranscriptReader,
  language: { readonly tag: string; readonly dir: string },
): string {
  const title = escapeHtml(titleOf(reader.texts));
  const entries = entriesOf(said, reader).map(
    ({ author, time, lines, isGenerated }) =>
      `<article${isGenerated ? " data-generated" : ""}><h2><bdi>${escapeHtml(author)}</bdi>${time ? ` <small>${escapeHtml(time)}</small>` : ""}</h2>` +
      `${lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`).join("")}</article>`,
  );
  return `<!doctype html>
<html lang="${escapeHtml(language.tag)}" dir="${escapeHtml(language.dir)}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
${entries.join("\n")}
</main>
</html>
`;
}

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{max-inline-size:42rem;margin:2rem auto;padding-inline:1rem}
article{margin-block:1.5rem;break-inside:avoid}
h1{font-size:1.5rem}
h2,p{margin:0;font-size:1rem;overflow-wrap:anywhere}
p{min-block-size:1.5em;white-space:pre-wrap}
small{font-weight:400;opacity:.75}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "");
}

function titleOf({ title, log }: Texts): string {
  return `${title} · ${log}`;
}

function entriesOf({ messages, pending }: Said, reader: TranscriptReader): Entry[] {
  const { texts, timeOf } = reader;
  // A name with a line break must not look like another line.
  const oneLine = (name: string) => name.replace(/\s+/g, " ");
  return [
    ...messages.map((message) => ({
      author: oneLine(authorOf(texts, message.role, message.author?.name)),
      time: oneLine(timeOf(message.at)),
      isGenerated: message.role === "agent",
      lines: linesOf(message, reader),
    })),
    ...pending.map((waiting) => ({
      author: oneLine(`${texts.you} (${texts.notConfirmed})`),
      lines: linesOf(waiting, reader),
    })),
  ];
}

function linesOf(said: Message | Pending, { texts, wordsOf }: TranscriptReader): string[] {
  // A customer's text is shown as it was written.
  const isMarked = "role" in said && said.role !== "customer";
  const body = isMarked ? wordsOf(wordsOfMessage(texts, said)) : said.body;
  const parts = [body, ...kindsAsText(said, texts)].filter(Boolean);
  const isCut = "incomplete" in said && said.incomplete;
  return [...parts.flatMap((text) => text.split(LINE_END)), ...(isCut ? [`(${texts.incomplete})`] : [])];
}
