import type { Token } from "marked";
import { parseFragment } from "parse5";

/** One piece of an article: `marked` is Markdown that the panel draws safely, `plain` is the text without it. */
export interface InlineText {
  readonly marked: string;
  readonly plain: string;
}

/**
 * Formats inline tokens in the safe subset: bold, italic, code, and https or mailto links. Everything else becomes
 * text: an image becomes its description, HTML its source, a link with another scheme its label.
 */
export function inlineText(tokens: readonly Token[]): InlineText {
  let marked = "";
  let plain = "";
  for (const token of tokens) {
    const piece = pieceOf(token);
    marked += piece.marked;
    plain += piece.plain;
  }
  return { marked: oneLine(marked), plain: oneLine(plain) };
}

/** The same text in both forms. */
export function literal(text: string): InlineText {
  return { marked: oneLine(text), plain: oneLine(text) };
}

function pieceOf(token: Token): InlineText {
  switch (token.type) {
    case "strong":
      return wrapped("**", inner(token));
    case "em":
      return wrapped("*", inner(token));
    case "codespan":
      return wrapped("`", { marked: token.text, plain: token.text });
    case "link":
      return linkOf(token.href, inner(token));
    case "br":
      return { marked: " ", plain: " " };
    case "image":
      return { marked: token.text, plain: token.text };
    case "html":
      return asIs(htmlText(token.raw));
    case "text":
      return token.tokens ? inner(token) : asIs(withCharacters(token.text));
    default:
      return inner(token);
  }
}

/** HTML stays its source, except what no page shows: comments, also one without an end, and line breaks. */
export function htmlText(source: string): string {
  return source.replace(/<!--[\s\S]*?(?:-->|$)/g, "").replace(/<br\s*\/?>/gi, " ");
}

const CHARACTER = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** The characters that `&pound;` and the like stand for. */
function withCharacters(text: string): string {
  return text.replace(CHARACTER, (reference) => {
    const [node] = parseFragment(reference).childNodes;
    return node && "value" in node ? node.value : reference;
  });
}

function asIs(text: string): InlineText {
  return { marked: text, plain: text };
}

/** Like `inlineText`, but keeps the spaces at both ends, which separate this piece from its neighbours. */
function inner(token: Token): InlineText {
  const children: readonly Token[] | undefined = "tokens" in token ? token.tokens : undefined;
  if (!children || children.length === 0) {
    const text: string = "text" in token && typeof token.text === "string" ? token.text : token.raw;
    return { marked: text, plain: text };
  }
  const pieces = children.map(pieceOf);
  return {
    marked: pieces.map((piece) => piece.marked).join(""),
    plain: pieces.map((piece) => piece.plain).join(""),
  };
}

function wrapped(mark: string, text: InlineText): InlineText {
  return text.plain.trim() === "" ? text : { marked: mark + text.marked + mark, plain: text.plain };
}

const SAFE_LINK = /^(?:https:\/\/|mailto:)[^\s<>()]+$/i;

function linkOf(href: string, text: InlineText): InlineText {
  if (!SAFE_LINK.test(href) || text.plain.trim() === "") return text;
  return { marked: `[${text.plain.replace(/[[\]]/g, "")}](${href})`, plain: text.plain };
}

/** Control characters except tab and line feed, which must not reach a message. */
const CONTROL = /[^\P{Cc}\t\n]/gu;

function oneLine(text: string): string {
  return text.toWellFormed().replace(CONTROL, "").replace(/\s+/g, " ").trim();
}
