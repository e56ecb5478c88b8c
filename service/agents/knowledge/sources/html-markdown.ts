import { type InlineContext, inlineMarkdown } from "./html-inline.ts";
import { isDataTable, tableMarkdown } from "./html-table.ts";
import {
  attribute,
  childrenOf,
  type Element,
  firstElement,
  isElement,
  type Node,
  rawText,
  textOf,
} from "./html-tree.ts";

const BLOCKS = new Set(
  "address article blockquote body dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** A longer value of a definition list is a text of its own, with its term as heading. */
const SHORT_VALUE = 80;
/** Each list is indented again by all those around it. */
const MAX_LISTS = 20;

/**
 * Formats the content of an element as Markdown: headings, paragraphs, lists, tables and code.
 *
 * @throws RangeError for lists nested too deeply, and for too large a table
 */
export function blockMarkdown(element: Element, context: InlineContext): string[] {
  const blocks: string[] = [];
  let inline: Node[] = [];
  const endParagraph = () => {
    const text = inlineMarkdown(inline, context);
    if (text !== "") blocks.push(text);
    inline = [];
  };
  for (const node of childrenOf(element)) {
    const isBreak = isElement(node) && node.tagName === "br";
    if (isElement(node) && context.isFurniture(node)) continue;
    if (isElement(node) && hasBlocks(node)) {
      endParagraph();
      blocks.push(...blocksOf(node, context));
    } else if (isBreak && isBreakBefore(inline)) {
      endParagraph();
    } else if (!isElement(node) || node.tagName !== "button") {
      inline.push(node);
    }
  }
  endParagraph();
  return blocks;
}

/** Two line breaks in a row separate paragraphs. */
function isBreakBefore(inline: readonly Node[]): boolean {
  const last = inline.findLast((node) => isElement(node) || textOf(node) !== "");
  return last !== undefined && isElement(last) && last.tagName === "br";
}

/** Each element is judged once, however deep it is in others. */
const judged = new WeakMap<Element, boolean>();

function hasBlocks(element: Element): boolean {
  const has =
    judged.get(element) ??
    (BLOCKS.has(element.tagName) || childrenOf(element).filter(isElement).some(hasBlocks));
  judged.set(element, has);
  return has;
}

function blocksOf(element: Element, context: InlineContext): string[] {
  const { tagName } = element;
  if (/^h[1-6]$/.test(tagName)) return headingOf(element, Number(tagName[1]), context);
  switch (tagName) {
    case "summary":
      return headingOf(element, 4, context);
    case "ul":
    case "ol":
      return listOf(element, context);
    case "dl":
      return definitionsOf(element, context);
    case "pre":
      return fenced(rawText(element).replace(/^\n/, "").trimEnd());
    case "table":
      return tableOf(element, context);
    default:
      return blockMarkdown(element, context);
  }
}

function headingOf(element: Element, depth: number, context: InlineContext): string[] {
  const text = inlineMarkdown(childrenOf(element), context);
  return text === "" ? [] : [`${"#".repeat(depth)} ${text}`];
}

function listOf(list: Element, around: InlineContext): string[] {
  const context = { ...around, lists: (around.lists ?? 0) + 1 };
  if (context.lists > MAX_LISTS) throw new RangeError("The lists are nested too deeply.");
  const items = childrenOf(list)
    .filter(isElement)
    .filter((item) => !context.isFurniture(item));
  const asked = Number.parseInt(attribute(list, "start") ?? "", 10);
  // As browsers do where it is no number; Markdown has no negative ones.
  const start = Number.isNaN(asked) ? 1 : Math.max(asked, 0);
  const lines = items.flatMap((item, index) => {
    const blocks = item.tagName === "li" ? blockMarkdown(item, context) : blocksOf(item, context);
    const mark = list.tagName === "ol" ? `${start + index}. ` : "- ";
    const indent = " ".repeat(mark.length);
    const text = blocks.join("\n\n").replace(/\n(?=[^\n])/g, `\n${indent}`);
    return text === "" ? [] : [`${mark}${text}`];
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function definitionsOf(list: Element, context: InlineContext): string[] {
  const blocks: string[] = [];
  let term = "";
  for (const element of childrenOf(list).filter(isElement).flatMap(unwrapped)) {
    if (context.isFurniture(element)) continue;
    if (element.tagName === "dt") {
      term = inlineMarkdown(childrenOf(element), context);
      continue;
    }
    const values = blockMarkdown(element, context);
    const isShort = values.length === 1 && (values[0] ?? "").length <= SHORT_VALUE && !term.endsWith("?");
    if (isShort) blocks.push(term === "" ? `- ${values[0]}` : `- ${term}: ${values[0]}`);
    else blocks.push(...(term === "" ? [] : [`#### ${term}`]), ...values);
  }
  return blocks;
}

/** HTML allows a `div` around each group of terms and values. */
function unwrapped(element: Element): Element[] {
  return element.tagName === "div" ? childrenOf(element).filter(isElement) : [element];
}

function tableOf(table: Element, context: InlineContext): string[] {
  if (!isDataTable(table)) return blockMarkdown(table, context);
  const caption = firstElement(table, ({ tagName }) => tagName === "caption");
  const title = caption ? inlineMarkdown(childrenOf(caption), context) : "";
  const cell = (element: Element) => inlineMarkdown(childrenOf(element), context);
  return [...(title === "" ? [] : [title]), tableMarkdown(table, cell)];
}

function fenced(text: string): string[] {
  if (text === "") return [];
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return [`${fence}\n${text}\n${fence}`];
}
