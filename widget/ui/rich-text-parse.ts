import { MAX_URL, readUrl, safeHref } from "./safe-href.ts";

export type Span =
  | string
  | { readonly kind: "bold"; readonly children: readonly Span[] }
  | { readonly kind: "italic"; readonly children: readonly Span[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Span[] };

/** `start` is the first number of a numbered list, null where there are bullets. */
export interface List {
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly spans: readonly Span[];
  /** What was written further in below it; there is no third level. */
  readonly below?: List;
}

export type Block =
  | { readonly kind: "text"; readonly spans: readonly Span[] }
  | ({ readonly kind: "list" } & List)
  | { readonly kind: "table"; readonly rows: readonly TableRow[]; readonly aligns: readonly Align[] }
  | { readonly kind: "code"; readonly text: string };

/** The first row of a table is its head. */
export type TableRow = readonly (readonly Span[])[];
export type Align = "start" | "center" | "end";

/** Deeper emphasis than this is shown as it was written; it bounds the work per character. */
const MAX_DEPTH = 3;
const MAX_LABEL = 300;

/**
 * Reads the small safe subset of Markdown: bold, italic, code, code blocks, lists of two levels, tables, links.
 * Everything else stays literal text. Time grows linearly with the text, whatever it holds.
 */
export function parseRichText(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const read = readCode(lines, at) ?? readList(lines, at) ?? readTable(lines, at) ?? readText(lines, at);
    blocks.push(read.block);
    at = read.next;
  }
  return blocks;
}

interface Read {
  readonly block: Block;
  readonly next: number;
}

/** A fence without an end takes the rest: that is how an answer looks while it is being written. */
function readCode(lines: readonly string[], at: number): Read | undefined {
  if (!/^ {0,3}```/.test(lines[at] ?? "")) return undefined;
  let end = at + 1;
  while (end < lines.length && !/^ {0,3}```\s*$/.test(lines[end] ?? "")) end += 1;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

const ENTRY = /^(\s{0,8})(?:[-*•]|(\d{1,4})[.)])\s+(\S.*)$/;

/** So much further in, and an entry belongs below the one before it. */
const INDENT = 2;

function readList(lines: readonly string[], at: number): Read | undefined {
  const first = entryOf(lines[at]);
  if (!first) return undefined;
  const items: { spans: Span[]; below?: { start: number | null; items: ListItem[] } }[] = [];
  let next = at;
  for (let entry = entryOf(lines[next]); entry; next += 1, entry = entryOf(lines[next])) {
    const item = { spans: parseSpans(entry.text, 0) };
    const above = items.at(-1);
    if (above && entry.indent >= first.indent + INDENT) {
      above.below ??= { start: entry.number, items: [] };
      above.below.items.push(item);
    } else if ((entry.number === null) === (first.number === null)) items.push(item);
    else break;
  }
  return { block: { kind: "list", start: first.number, items }, next };
}

function entryOf(line = ""): { indent: number; number: number | null; text: string } | undefined {
  const found = ENTRY.exec(line);
  if (!found) return undefined;
  const [, indent = "", number, text = ""] = found;
  return { indent: indent.length, number: number === undefined ? null : Number(number), text };
}

function isTableAt(lines: readonly string[], at: number): boolean {
  const [head = "", rule = ""] = [lines[at], lines[at + 1]];
  const isRule = /^[\s|:-]+$/.test(rule) && rule.includes("|") && rule.includes("-");
  return head.includes("|") && isRule && cellsOf(head).length === cellsOf(rule).length;
}

/** A head, a line of dashes, and whatever lines with a pipe follow. */
function readTable(lines: readonly string[], at: number): Read | undefined {
  if (!isTableAt(lines, at)) return undefined;
  const rows = [lines[at] ?? ""];
  let next = at + 2;
  for (let line = lines[next]; line?.includes("|"); next += 1, line = lines[next]) rows.push(line);
  return {
    block: {
      kind: "table",
      rows: rows.map((row) => cellsOf(row).map((cell) => parseSpans(cell, 0))),
      aligns: cellsOf(lines[at + 1] ?? "").map(alignOf),
    },
    next,
  };
}

function alignOf(rule: string): Align {
  if (!rule.endsWith(":")) return "start";
  return rule.startsWith(":") ? "center" : "end";
}

/** What stands between the pipes; `\\|` is a pipe in a cell. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function readText(lines: readonly string[], at: number): Read {
  let next = at + 1;
  while (next < lines.length && isPlainLine(lines, next)) next += 1;
  return { block: { kind: "text", spans: parseSpans(lines.slice(at, next).join("\n"), 0) }, next };
}

function isPlainLine(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return line.trim() !== "" && !/^ {0,3}```/.test(line) && !ENTRY.test(line) && !isTableAt(lines, at);
}

/** Finds the next occurrence of each closer once and remembers it, so that a thousand openers cost no more than one. */
function createFinder(text: string) {
  const known = new Map<string, number>();
  return (token: string, from: number): number => {
    const seen = known.get(token);
    if (seen !== undefined && (seen === -1 || seen >= from)) return seen;
    const found = text.indexOf(token, from);
    known.set(token, found);
    return found;
  };
}

type Find = ReturnType<typeof createFinder>;
interface Found {
  readonly span: Span;
  readonly end: number;
}

function parseSpans(text: string, depth: number): Span[] {
  const spans: Span[] = [];
  const find = createFinder(text);
  const special = /[*_`[]|https:\/\//g;
  let from = 0;
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const found = readSpan(text, match.index, find, depth);
    if (!found) continue;
    if (match.index > from) spans.push(text.slice(from, match.index));
    spans.push(found.span);
    from = found.end;
    special.lastIndex = from;
  }
  if (from < text.length) spans.push(text.slice(from));
  return spans;
}

function readSpan(text: string, at: number, find: Find, depth: number): Found | undefined {
  switch (text[at]) {
    case "`":
      return readInlineCode(text, at, find);
    case "[":
      return depth < MAX_DEPTH ? readLink(text, at, find) : undefined;
    case "h":
      return readBareLink(text, at);
    default:
      return depth < MAX_DEPTH ? readEmphasis(text, at, find, depth) : undefined;
  }
}

function readInlineCode(text: string, at: number, find: Find): Found | undefined {
  const end = find("`", at + 1);
  if (end <= at + 1 || text.slice(at, end).includes("\n")) return undefined;
  return { span: { kind: "code", text: text.slice(at + 1, end) }, end: end + 1 };
}

function readEmphasis(text: string, at: number, find: Find, depth: number): Found | undefined {
  const mark = text[at] === "*" ? "*" : "_";
  const token = text.startsWith(mark + mark, at) ? mark + mark : mark;
  const start = at + token.length;
  if (/[\s*_]/.test(text[start] ?? " ")) return undefined;
  // snake_case and 2*3 are not emphasis.
  if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return undefined;
  const end = find(token, start);
  if (end === -1 || /\s/.test(text[end - 1] ?? " ")) return undefined;
  if (/[\p{L}\p{N}]/u.test(text[end + token.length] ?? "")) return undefined;
  const children = parseSpans(text.slice(start, end), depth + 1);
  return { span: { kind: token.length === 2 ? "bold" : "italic", children }, end: end + token.length };
}

function readLink(text: string, at: number, find: Find): Found | undefined {
  const middle = find("](", at + 1);
  if (middle === -1 || middle - at > MAX_LABEL) return undefined;
  const label = text.slice(at + 1, middle);
  const close = find(")", middle + 2);
  if (label.trim() === "" || label.includes("[") || close === -1 || close - middle > MAX_URL)
    return undefined;
  const href = safeHref(text.slice(middle + 2, close));
  // `![…](…)` asks for a picture: a message never makes the browser fetch anything.
  if (!href || text[at - 1] === "!" || pretendsOtherHost(label, href)) return undefined;
  return { span: { kind: "link", href, children: parseSpans(label, MAX_DEPTH) }, end: close + 1 };
}

/** A label that itself reads as an address must be the address that it leads to. */
function pretendsOtherHost(label: string, href: string): boolean {
  const shown = /([\p{L}\p{N}-]+\.)+[\p{L}]{2,}/iu.exec(label)?.[0];
  return shown !== undefined && shown.toLowerCase() !== readUrl(href)?.host.toLowerCase();
}

function readBareLink(text: string, at: number): Found | undefined {
  if (/[\p{L}\p{N}@/]/u.test(text[at - 1] ?? "")) return undefined;
  const run = /^[\x21-\x7e]+/.exec(text.slice(at, at + MAX_URL + 1))?.[0] ?? "";
  // A host that goes on in other characters is another host than the part that can be read here.
  const isWhole = /^https:\/\/[^/]+\//i.test(run) || /^\s?$/.test(text[at + run.length] ?? "");
  if (!isWhole || run.length > MAX_URL) return undefined;
  const shown = trimTail(run.replace(/[<>"`\\[\]*].*$/, ""));
  const href = safeHref(shown);
  return href ? { span: { kind: "link", href, children: [shown] }, end: at + shown.length } : undefined;
}

/** Punctuation after an address belongs to the sentence; a closing bracket only if none was opened inside. */
function trimTail(run: string): string {
  const opened = run.includes("(");
  let end = run.length;
  while (end > 0) {
    const last = run[end - 1] ?? "";
    if (!".,;:!?'_)".includes(last)) break;
    if (last === ")" && opened) break;
    end -= 1;
  }
  return run.slice(0, end);
}

/** The words alone, for a screen reader's announcement and for previews. */
export function wordsOf(text: string): string {
  return parseRichText(text).map(wordsOfBlock).join("\n");
}

function wordsOfBlock(block: Block): string {
  switch (block.kind) {
    case "code":
      return block.text;
    case "text":
      return wordsOfSpans(block.spans);
    case "table":
      return block.rows.map((row) => row.map(wordsOfSpans).join(", ")).join("\n");
    case "list":
      return wordsOfList(block);
  }
}

function wordsOfList({ items }: List): string {
  return items
    .flatMap(({ spans, below }) => [wordsOfSpans(spans), ...(below ? [wordsOfList(below)] : [])])
    .join("\n");
}

function wordsOfSpans(spans: readonly Span[]): string {
  return spans
    .map((span) =>
      typeof span === "string" ? span : span.kind === "code" ? span.text : wordsOfSpans(span.children),
    )
    .join("");
}
