/** The lines at the beginning of an article that say something about it. */
export interface FrontMatter {
  /** The values by their names in small letters. */
  readonly facts: ReadonlyMap<string, string>;
  /** The text after it. */
  readonly body: string;
  /** `end`: the line `---` at its end is missing, or it can't be told from the text; `line`: a line in it is no value. */
  readonly fault?: "end" | "line";
}

const MARK = /^---[ \t]*$/;
/** A name with a value, a further line of a value, a comment, or nothing. */
const LINE = /^(?:[^:]+:.*|[\s\-#\]}].*)?$/;
const FACT = /^[\w-]+\s*:/;

/**
 * Splits an article. Without the line at its end only the first lines of the form `name: value` are front matter. A line
 * that is no value is left out if the text can't have begun there: no empty line is near, and a value is the last line.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const [first = "", ...lines] = clean.split("\n");
  const none = { facts: new Map<string, string>(), body: clean };
  if (!MARK.test(first)) return none;
  const fault = faultOf(lines);
  const end = lines.findIndex((line) => (fault === "end" ? !FACT.test(line) : MARK.test(line)));
  const length = end < 0 ? lines.length : end;
  const facts = factsOf(lines.slice(0, length));
  // Otherwise the text begins with a rule.
  if (fault && !facts.has("title") && !facts.has("url")) return none;
  const body = lines.slice(fault === "end" ? length : length + 1).join("\n");
  return { facts, body, ...(fault ? { fault } : {}) };
}

function faultOf(lines: readonly string[]): FrontMatter["fault"] {
  const end = lines.findIndex((line) => MARK.test(line));
  const inside = lines.slice(0, Math.max(end, 0));
  if (end >= 0 && inside.every((line) => LINE.test(line))) return undefined;
  const isDense = FACT.test(inside.at(-1) ?? "") && inside.every((line) => line.trim() !== "");
  return isDense ? "line" : "end";
}

function factsOf(lines: readonly string[]): Map<string, string> {
  const facts = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    const value = line.slice(at + 1).trim();
    // An indented line belongs to the name above it, and after ">" or "|" the value is in such lines.
    if (FACT.test(line) && !/^[>|]/.test(value))
      facts.set(line.slice(0, at).trim().toLowerCase(), unquoted(value));
  }
  return facts;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
