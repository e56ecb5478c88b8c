import type { ProposedSentence, SummarySentence } from "../../shared/summary.ts";

/**
 * Finds the lines of a sent summary in what was proposed. A line that the customer left as it was keeps its place in the
 * log; all others are their own words, and lines of these in a row are one part.
 */
export function placeSentences(text: string, proposed: readonly ProposedSentence[]): SummarySentence[] {
  const left = [...proposed];
  const parts: SummarySentence[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const at = left.findIndex((sentence) => sentence.text === line);
    const [known] = at < 0 ? [] : left.splice(at, 1);
    const last = parts.at(-1);
    if (known) parts.push({ text: line, seq: known.seq });
    else if (last && last.seq === undefined) parts[parts.length - 1] = { text: `${last.text}\n${line}` };
    else parts.push({ text: line });
  }
  return parts;
}
