import { pretendsOtherAddress } from "./honest-label.ts";
import { MAX_URL, safeHref } from "./safe-href.ts";

export type Span =
  | string
  | { readonly kind: "bold"; readonly children: readonly Span[] }
  | { readonly kind: "italic"; readonly children: readonly Span[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Span[] };

/** Deeper emphasis stays literal text, which bounds the work per character. */
const MAX_DEPTH = 3;
/** A link's label may contain only code: links don't nest. */
const LABEL_DEPTH = MAX_DEPTH + 1;
const MAX_LABEL = 300;
/** RFC 5321, 4.5.3.1. */
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;
/** A letter or digit of a word that spaces separate. Languages without spaces have none around a mark or an address. */
const WORD = /(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}])[\p{L}\p{N}]/u;

/** Finds and caches the next occurrence of each closer, so that a thousand openers cost no more than one. */
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
  /** Its start, if that is before the character that it was found by. */
  readonly start?: number;
  readonly end: number;
}

/** Bold, italic, code and links in one block of text. Everything else stays literal text. */
export function parseSpans(text: string, depth = 0): Span[] {
  const spans: Span[] = [];
  const find = createFinder(text);
  const special = /[*_`[@]|https?:\/\/|www\./gi;
  let from = 0;
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const found = readSpan({ text, from }, match.index, find, depth);
    if (!found) continue;
    const { start = match.index } = found;
    if (start > from) spans.push(text.slice(from, start));
    spans.push(found.span);
    from = found.end;
    special.lastIndex = from;
  }
  if (from < text.length) spans.push(text.slice(from));
  return spans;
}

/** `from` is the start of the text that no span contains yet. */
interface Unread {
  readonly text: string;
  readonly from: number;
}

function readSpan(unread: Unread, at: number, find: Find, depth: number): Found | undefined {
  const { text } = unread;
  const first = text[at] ?? "";
  if (first === "`") return readInlineCode(text, at, find);
  if (depth === LABEL_DEPTH) return undefined;
  switch (first.toLowerCase()) {
    case "[":
      return depth < MAX_DEPTH ? readLink(text, at, find) : undefined;
    case "h":
    case "w":
      return readBareLink(text, at);
    case "@":
      return readMailAddress(unread, at);
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
  // snake_case and 2*3 are not emphasis. Names of files have underscores in every language.
  const inWord = mark === "_" ? /[\p{L}\p{N}]/u : WORD;
  if (inWord.test(text[at - 1] ?? "")) return undefined;
  const end = find(token, start);
  if (end === -1 || /\s/.test(text[end - 1] ?? " ")) return undefined;
  if (inWord.test(text[end + token.length] ?? "")) return undefined;
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
  if (!href || text[at - 1] === "!" || pretendsOtherAddress(label, href)) return undefined;
  return { span: { kind: "link", href, children: parseSpans(label, LABEL_DEPTH) }, end: close + 1 };
}

function readBareLink(text: string, at: number): Found | undefined {
  const before = text[at - 1] ?? "";
  if (WORD.test(before) || /[@/]/.test(before)) return undefined;
  const run = /^[\x21-\x7e]+/.exec(text.slice(at, at + MAX_URL + 1))?.[0] ?? "";
  // A host that continues with other characters is a different host from the part that matched.
  const isWhole = /^(https?:\/\/|www\.)[^/]+\//i.test(run) || /^\s?$/.test(text[at + run.length] ?? "");
  if (!isWhole || run.length > MAX_URL) return undefined;
  const shown = trimTail(run.replace(/[<>"`\\[\]*].*$/, ""));
  const href = safeHref(/^www\.[\w-]+\.\w/i.test(shown) ? `https://${shown}` : shown);
  return href ? { span: { kind: "link", href, children: [shown] }, end: at + shown.length } : undefined;
}

/** An e-mail address around the `@` at `at`. One that continues with other characters stays text. */
function readMailAddress({ text, from }: Unread, at: number): Found | undefined {
  const before = text.slice(Math.max(from, at - MAX_LOCAL_PART), at);
  const name = /[a-z0-9](?:[a-z0-9._%+-]*[a-z0-9_+-])?$/i.exec(before)?.[0] ?? "";
  const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/i.exec(
    text.slice(at + 1, at + 1 + MAX_DOMAIN),
  )?.[0];
  if (!name || !domain || /:\/\/\S*$/.test(before)) return undefined;
  const [start, end] = [at - name.length, at + 1 + domain.length];
  const previous = text[start - 1] ?? "";
  if (WORD.test(previous) || /[/@._%+-]/.test(previous)) return undefined;
  if (/[\p{L}\p{N}@-]/u.test(text[end] ?? "")) return undefined;
  const shown = text.slice(start, end);
  const href = safeHref(`mailto:${shown}`);
  return href ? { span: { kind: "link", href, children: [shown] }, start, end } : undefined;
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
