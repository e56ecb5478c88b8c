import { attribute, childrenOf, type Element, isElement, type Node, textOf } from "./html-tree.ts";

export interface InlineContext {
  readonly isFurniture: (element: Element) => boolean;
  /** The page's address, for links without a host. */
  readonly base: string | undefined;
  /** How many lists are around it. */
  readonly lists?: number;
}

const MARKS: Readonly<Record<string, string>> = { b: "**", strong: "**", i: "*", em: "*" };

/** Formats text and inline elements as Markdown on one line. */
export function inlineMarkdown(nodes: readonly Node[], context: InlineContext): string {
  return nodes
    .map((node) => pieceOf(node, context))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function pieceOf(node: Node, context: InlineContext): string {
  if (!isElement(node)) return "value" in node ? escaped(node.value) : "";
  const { tagName } = node;
  if (context.isFurniture(node)) return "";
  if (tagName === "br") return " ";
  if (tagName === "code" || tagName === "kbd" || tagName === "samp") {
    const text = textOf(node);
    return text === "" || text.includes("`") ? escaped(text) : `\`${text}\``;
  }
  const inner = childrenOf(node)
    .map((child) => pieceOf(child, context))
    .join("");
  const mark = MARKS[tagName];
  if (mark !== undefined) return wrapped(mark, inner);
  if (tagName === "a") return linkOf(node, inner, context.base);
  return inner;
}

/** Spaces inside a mark would undo it, and a mark inside a mark of the same kind would end it. */
function wrapped(mark: string, inner: string): string {
  const text = inner.trim();
  return text === "" || text.includes("*") ? inner : inner.replace(text, () => `${mark}${text}${mark}`);
}

function linkOf(element: Element, inner: string, base: string | undefined): string {
  const url = URL.parse(attribute(element, "href") ?? "", base);
  const label = inner.trim();
  if (!url || !/^(?:https|mailto):$/.test(url.protocol) || label === "" || /[[\]*`]/.test(label))
    return inner;
  // A link to a place of the same page leads nowhere in the panel.
  if (base !== undefined && url.hash !== "" && url.href.split("#")[0] === base.split("#")[0]) return inner;
  return `[${label}](${url.href.replace(/[()<>\s]/g, encodeURIComponent)})`;
}

/** Text that would mean something in Markdown is only text. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^(\s*)([#+-]|\d+(?=[.)]))(?=[\s.)#+-]|$)/, (_all, space: string, start: string) =>
      /\d/.test(start) ? `${space}${start}\\` : `${space}\\${start}`,
    );
}
