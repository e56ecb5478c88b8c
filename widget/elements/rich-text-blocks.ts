import { parseSpans, type Span } from "./rich-text-spans.ts";

/** `start` is the first number of a numbered list, null for bullets. */
export interface List {
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly spans: readonly Span[];
  /** The nested list; a third level does not exist. */
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

/**
 * Reads the small safe subset of Markdown: bold, italic, code, code blocks, lists of two levels, tables, links.
 * Everything else stays literal text. The time is linear in the length of any text.
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

/** A fence without an end extends to the end of the text, as in an answer that is still being written. */
function readCode(lines: readonly string[], at: number): Read | undefined {
  if (!/^ {0,3}```/.test(lines[at] ?? "")) return undefined;
  let end = at + 1;
  while (end < lines.length && !/^ {0,3}```\s*$/.test(lines[end] ?? "")) end += 1;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

const ENTRY = /^(\s{0,8})(?:[-*•]|(\d{1,4})[.)])\s+(\S.*)$/;

/** An item with this much more indent belongs below the previous one. */
const INDENT = 2;

function readList(lines: readonly string[], at: number): Read | undefined {
  const first = entryOf(lines[at]);
  if (!first) return undefined;
  const items: { spans: Span[]; below?: { start: number | null; items: ListItem[] } }[] = [];
  let next = at;
  for (let entry = entryOf(lines[next]); entry; next += 1, entry = entryOf(lines[next])) {
    const item = { spans: parseSpans(entry.text) };
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

/** A table: a head, a line of dashes, and the following lines that contain a pipe. */
function readTable(lines: readonly string[], at: number): Read | undefined {
  if (!isTableAt(lines, at)) return undefined;
  const rows = [lines[at] ?? ""];
  let next = at + 2;
  for (let line = lines[next]; line?.includes("|"); next += 1, line = lines[next]) rows.push(line);
  return {
    block: {
      kind: "table",
      rows: rows.map((row) => cellsOf(row).map((cell) => parseSpans(cell))),
      aligns: cellsOf(lines[at + 1] ?? "").map(alignOf),
    },
    next,
  };
}

function alignOf(rule: string): Align {
  if (!rule.endsWith(":")) return "start";
  return rule.startsWith(":") ? "center" : "end";
}

/** The cells of a row; `\\|` is a pipe inside a cell. */
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
  return { block: { kind: "text", spans: parseSpans(lines.slice(at, next).join("\n")) }, next };
}

function isPlainLine(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return line.trim() !== "" && !/^ {0,3}```/.test(line) && !ENTRY.test(line) && !isTableAt(lines, at);
}
