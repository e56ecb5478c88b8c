import { type Block, type List, parseRichText } from "../elements/rich-text-blocks.ts";
import type { Span } from "../elements/rich-text-spans.ts";

/** Formats a link as plain text. */
type LinkWords = (label: string, href: string) => string;

/** Returns the text without markup, for announcements and previews. */
export function wordsOf(text: string): string {
  return wordsWith(text, (label) => label);
}

/** Like `wordsOf`, with each link's address after its label, for readers who can't follow links. */
export function wordsWithAddresses(text: string): string {
  return wordsWith(text, (label, href) => {
    const address = href.replace(/^mailto:|^tel:/i, "");
    const isSame = [label, `${label}/`, `https://${label}`, `https://${label}/`].includes(address);
    return isSame ? label : `${label} (${address})`;
  });
}

function wordsWith(text: string, link: LinkWords): string {
  return parseRichText(text)
    .map((block) => wordsOfBlock(block, link))
    .join("\n");
}

function wordsOfBlock(block: Block, link: LinkWords): string {
  switch (block.kind) {
    case "code":
      return block.text;
    case "text":
      return wordsOfSpans(block.spans, link);
    case "table":
      return block.rows.map((row) => row.map((cell) => wordsOfSpans(cell, link)).join(", ")).join("\n");
    case "list":
      return wordsOfList(block, link);
  }
}

function wordsOfList({ start, items }: List, link: LinkWords): string {
  return items
    .flatMap(({ spans, below }, index) => [
      `${start === null ? "" : `${start + index}. `}${wordsOfSpans(spans, link)}`,
      ...(below ? [wordsOfList(below, link)] : []),
    ])
    .join("\n");
}

function wordsOfSpans(spans: readonly Span[], link: LinkWords): string {
  return spans
    .map((span) => {
      if (typeof span === "string") return span;
      if (span.kind === "code") return span.text;
      const words = wordsOfSpans(span.children, link);
      return span.kind === "link" ? link(words, span.href) : words;
    })
    .join("");
}
