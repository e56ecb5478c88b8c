/** Code, in a block or in a line. It is matched first, so that nothing inside it is replaced. */
const CODE = "^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\\1|(?![^]))|`[^`\\n]*`";
const NAME = "(?<!\\\\)\\[\\^([^\\]\\[\\s]{1,50})\\]";
/** The text of a footnote goes on in the next line, and in indented lines after an empty one. */
const NOTE = new RegExp(`${CODE}|^ {0,3}${NAME}:[ \\t]*(.*(?:\\n(?:\\n*[ \\t]+)?[^\\s[#>|*+\\-].*)*)`, "gm");
const MARK = new RegExp(`${CODE}|([.!?]?)${NAME}`, "gm");

/** In characters, for all references of an article: one footnote may be referred to thousands of times. */
const MAX_ADDED = 100_000;

/** Puts each footnote into the sentence that refers to it: a quote without it may lose a condition. */
export function withFootnotes(markdown: string): string {
  const notes = new Map<string, string>();
  const text = markdown.replace(NOTE, (source, _fence, name?: string, note = "") => {
    if (name === undefined) return source;
    const line = note.replace(/\s+/g, " ").trim().replace(/\.$/, "");
    // It may be put into a cell of a table.
    notes.set(name, line.replace(/(?<!\\)\|/g, "\\|"));
    return "";
  });
  let room = MAX_ADDED;
  return text.replace(MARK, (source, _fence, end = "", name?: string) => {
    const note = name === undefined ? undefined : notes.get(name);
    room -= note?.length ?? 0;
    return note === undefined || room < 0 ? source : ` (${note})${end}`;
  });
}
