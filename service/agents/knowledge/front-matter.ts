/** The lines at the beginning of an article that say something about it. */
export interface FrontMatter {
  /** The values by their names in small letters. */
  readonly facts: ReadonlyMap<string, string>;
  /** The text after it. */
  readonly body: string;
  /** False if the line `---` at its end is missing. */
  readonly hasEnd: boolean;
}

const MARK = /^---[ \t]*$/;
/** A name with a value, a further line of a value, a comment, or nothing. */
const LINE = /^(?:[^:]+:.*|[\s\-#\]}].*)?$/;
const FACT = /^[\w-]+\s*:/;

/** Splits an article. Without the line at its end only the first lines of the form `name: value` are front matter. */
export function splitFrontMatter(text: string): FrontMatter {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const [first = "", ...lines] = clean.split("\n");
  const none = { facts: new Map<string, string>(), body: clean, hasEnd: true };
  if (!MARK.test(first)) return none;
  const end = lines.findIndex((line) => MARK.test(line));
  const hasEnd = end >= 0 && lines.slice(0, end).every((line) => LINE.test(line));
  const other = lines.findIndex((line) => !FACT.test(line));
  const length = hasEnd ? end : other < 0 ? lines.length : other;
  const facts = factsOf(lines.slice(0, length));
  // Otherwise the text begins with a rule.
  if (!hasEnd && !facts.has("title") && !facts.has("url")) return none;
  return { facts, body: lines.slice(hasEnd ? length + 1 : length).join("\n"), hasEnd };
}

function factsOf(lines: readonly string[]): Map<string, string> {
  const facts = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    if (at > 0) facts.set(line.slice(0, at).trim().toLowerCase(), unquoted(line.slice(at + 1).trim()));
  }
  return facts;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
