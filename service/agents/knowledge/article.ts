import { lexer, type Token, type Tokens } from "marked";
import { sha256 } from "../../ids.ts";
import { withFootnotes } from "./footnotes.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { htmlText, type InlineText, inlineText, literal } from "./inline-text.ts";

/** A block whose lines can be quoted: sentences of a paragraph, items of a list, rows of a table, lines of code. */
export interface Passage {
  readonly kind: "paragraph" | "bullets" | "steps" | "rows" | "code";
  readonly lines: readonly Line[];
  /** The number of the first step; 1 without it. */
  readonly start?: number;
  /** For a table: the names of its columns, and the two lines of Markdown above its rows. */
  readonly columns?: readonly string[];
  readonly head?: string;
}

export interface Line extends InlineText {
  /** For a row of a table: its first cell. */
  readonly name?: string;
}

/** Whether it introduces what follows: "Check these things first:". */
export function leadsOn(passage: Passage | undefined): boolean {
  return passage?.kind === "paragraph" && passage.lines.at(-1)?.plain.endsWith(":") === true;
}

/** A heading and its content. */
export interface Section {
  readonly heading: string;
  readonly passages: readonly Passage[];
}

export interface Article {
  /** Made from the path, so that it does not change with the text. */
  readonly id: string;
  readonly title: string;
  /** https, or http on this machine, because it becomes a link in the panel. */
  readonly url: string | undefined;
  /** The file that its owner edits; undefined for a page of a site. */
  readonly file?: string | undefined;
  readonly sections: readonly Section[];
}

/**
 * Reads one Markdown file: optional front matter (`title`, `url`), then sections by heading.
 * Nothing in it is executed or fetched. Markup that the panel can't draw becomes plain text.
 * @param baseUrl the base of a `url` without a host, such as `/help/shipping`
 */
export function parseArticle(path: string, text: string, baseUrl?: string): Article {
  const { facts, body } = splitFrontMatter(text);
  const tokens = lexer(withFootnotes(body));
  const main = tokens.find((token): token is Tokens.Heading => token.type === "heading" && token.depth === 1);
  const headline = main ? inlineText(main.tokens).plain : "";
  const title = literal(facts.get("title") ?? "").plain || headline || nameOf(path);
  return {
    id: idOf(path),
    title: title.slice(0, 300),
    url: safeUrl(facts.get("url"), baseUrl),
    sections: sectionsOf(tokens, title),
  };
}

function safeUrl(value: string | undefined, baseUrl: string | undefined): string | undefined {
  const url = value && URL.parse(value, baseUrl);
  return url && isLinkable(url) && url.href.length <= 2000 ? url.href : undefined;
}

/** https, and http only on this machine, where the demo shop has its help pages. */
function isLinkable({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname));
}

function nameOf(path: string): string {
  const file = path.split("/").at(-1) ?? path;
  return file.replace(/\.[^.]+$/, "").replace(/[-_]+/g, " ");
}

function idOf(path: string): string {
  const own = path.normalize("NFC");
  const slug = own
    .replace(/\.[^.]+$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  // Otherwise the ids of "配送.md" and "返品.md" would depend on which other articles there are.
  if (slug.length <= 100 && !/\P{ASCII}/u.test(own)) return slug || "article";
  return `${slug.slice(0, 90) || "article"}-${sha256(own).slice(0, 8)}`;
}

function sectionsOf(tokens: readonly Token[], title: string): Section[] {
  const sections: { heading: string; passages: Passage[] }[] = [{ heading: title, passages: [] }];
  // Several main headings are those of sections.
  const mains = tokens.filter((token) => token.type === "heading" && token.depth === 1);
  const isTitle = (token: Token) => mains.length === 1 && mains[0] === token;
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = inlineText(token.tokens ?? []).plain;
      sections.push({ heading: isTitle(token) ? title : heading, passages: [] });
    } else {
      sections.at(-1)?.passages.push(...passagesOf(token));
    }
  }
  return sections.filter((section) => section.passages.length > 0);
}

function passagesOf(token: Token): Passage[] {
  switch (token.type) {
    case "heading":
      return passage("paragraph", [inBold(inlineText(token.tokens ?? []))]);
    case "paragraph":
    case "text":
      return passage("paragraph", sentencesOf(inlineText(token.tokens ?? []).marked));
    case "html":
      return passage("paragraph", [literal(htmlText(token.raw))]);
    case "list":
      return listOf(token as Tokens.List);
    case "table":
      return tableOf(token as Tokens.Table);
    case "blockquote":
      return (token.tokens ?? []).flatMap(passagesOf);
    case "code":
      return passage("code", String(token.text).split("\n").map(literal));
    default:
      return [];
  }
}

function passage(kind: Passage["kind"], lines: readonly Line[]): Passage[] {
  const filled = lines.filter((line) => line.plain !== "");
  return filled.length === 0 ? [] : [{ kind, lines: filled }];
}

/** More text inside an item becomes passages of its own, so that they can be quoted without each other. */
const MAX_ITEM = 1_000;

/** An item becomes a line with the text and the lists inside it; code and tables become passages of their own. */
function listOf(list: Tokens.List): Passage[] {
  const apart: Passage[] = [];
  const lines = list.items.map(({ tokens }) => {
    const inside = tokens.flatMap(passagesOf);
    const text = inside.filter(({ kind }) => kind !== "code" && kind !== "rows");
    const isLong = text.reduce((sum, one) => sum + wholeOf(one, "plain").length, 0) > MAX_ITEM;
    const own = isLong ? inside.slice(0, 1).filter(({ kind }) => kind === "paragraph") : text;
    apart.push(...inside.filter((one) => !own.includes(one)));
    return itemOf(own);
  });
  return [...(list.ordered ? stepsOf(lines, Number(list.start)) : passage("bullets", lines)), ...apart];
}

/** After an item without text, such as one of code only, other steps begin, so that each keeps its number. */
function stepsOf(lines: readonly InlineText[], first: number): Passage[] {
  const runs: { kind: "steps"; start: number; lines: InlineText[] }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.plain === "") continue;
    const run = runs.at(-1);
    if (run && run.start + run.lines.length === first + index) run.lines.push(line);
    else runs.push({ kind: "steps", start: first + index, lines: [line] });
  }
  return runs;
}

function itemOf(inside: readonly Passage[]): InlineText {
  const marked = inside.map((one) =>
    one.kind === "paragraph"
      ? ` ${wholeOf(one, "marked")}`
      : `\n${listMarkdown(one)}`.replaceAll("\n", "\n  "),
  );
  const plain = inside.map((one) => `${one.kind === "paragraph" ? " " : " · "}${wholeOf(one, "plain")}`);
  return { marked: marked.join("").trim(), plain: plain.join("").replace(/^[ ·]+/, "") };
}

function wholeOf({ kind, lines }: Passage, form: keyof InlineText): string {
  const texts = lines.map((line) => line[form]);
  return kind === "paragraph" ? joinSentences(texts) : texts.join(" · ");
}

/** Chinese and Japanese have no space between sentences. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.join(" ").replace(/(?<=[。！？]) /g, "");
}

/** Formats the lines of a list as Markdown. */
export function listMarkdown({ kind, lines, start = 1 }: Pick<Passage, "kind" | "lines" | "start">): string {
  return lines
    .map(({ marked }, index) => `${kind === "steps" ? `${start + index}.` : "-"} ${marked}`)
    .join("\n");
}

function tableOf(table: Tokens.Table): Passage[] {
  const head = table.header.map((cell) => inlineText(cell.tokens));
  const columns = head.map(({ plain }) => plain);
  const lines = [rowOf(head.map(({ marked }) => marked)), rowOf(head.map(() => "---"))];
  return passage("rows", rowsOf(table, columns)).map((rows) => ({
    ...rows,
    columns,
    head: lines.join("\n"),
  }));
}

/** One line of a Markdown table. */
function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Each row has the column names in its plain text, so that it can be searched and cited without its table. */
function rowsOf(table: Tokens.Table, columns: readonly string[]): Line[] {
  return table.rows.map((row) => {
    const [name = literal(""), ...cells] = row.map((cell) => inlineText(cell.tokens));
    const filled = cells
      .map((cell, index) => ({ column: columns[index + 1] ?? "", text: cell.plain }))
      .filter(({ text }) => text !== "");
    const rest = filled.map(({ column, text }) => (column ? `${column}: ${text}` : text)).join(" · ");
    return {
      marked: rowOf([inBold(name).marked, ...cells.map(({ marked }) => marked)]),
      plain: [name.plain, rest].filter((part) => part !== "").join(": "),
      ...(name.plain === "" ? {} : { name: name.plain }),
    };
  });
}

function inBold({ marked, plain }: InlineText): InlineText {
  return { marked: marked === plain && plain !== "" ? `**${plain}**` : marked, plain };
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A longer "sentence" is stored as plain text, because matching marks in it could take quadratic time. */
const MAX_SENTENCE = 2_000;

/** Splits at the ends of sentences, except inside bold, code or a link, where half of the markup would be visible. */
function sentencesOf(text: string): InlineText[] {
  const lines: InlineText[] = [];
  let open = "";
  for (const { segment } of segmenter.segment(text)) {
    open += segment;
    const ends = isBalanced(open) && !/\b(?:e\.g|i\.e|etc|no|approx)\.\s*$/i.test(open);
    if (!ends && open.length <= MAX_SENTENCE) continue;
    lines.push(sentence(open));
    open = "";
  }
  return [...lines, sentence(open)];
}

function isBalanced(text: string): boolean {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  const even = [/\*\*/g, /\*/g, /`/g].every((mark) => count(mark) % 2 === 0);
  return even && count(/\[/g) === count(/\]/g) && count(/\(/g) === count(/\)/g);
}

function sentence(text: string): InlineText {
  const marked = text.trim();
  if (marked.length > MAX_SENTENCE) return literal(marked);
  const plain = marked
    .replace(/\[([^\]]+)\]\((?:https:\/\/|mailto:)[^\s)]+\)/g, "$1")
    .replace(/(\*{1,2}|`)(\S(?:.*?\S)?)\1/g, "$2");
  return { marked, plain };
}
