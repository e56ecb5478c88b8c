import type { Passage } from "./article.ts";
import type { InlineText } from "./inline-text.ts";
import type { FoundSection } from "./section-index.ts";
import { indexWords } from "./words.ts";

/** What is quoted of one section: its heading and passages in the safe subset, in the article's order. */
export interface Quote {
  readonly found: FoundSection;
  readonly passages: readonly string[];
  /** The quoted words without marks, for the citation. */
  readonly plain: string;
}

/** More than this is a page, not an answer. */
const MAX_PASSAGES = 3;
const MAX_SENTENCES = 3;
const MAX_LINES = 8;

/** A second section is quoted only if it answers nearly as well as the first. */
const NEARLY = 0.72;

/** Chooses one to three passages of the best sections. Each line is quoted as it stands, whole, in its order. */
export function chooseQuotes(found: readonly FoundSection[]): Quote[] {
  const best = found[0];
  if (!best) return [];
  const sections = found.filter((section) => section.score >= best.score * NEARLY).slice(0, 2);
  const quotes: Quote[] = [];
  let left = MAX_PASSAGES;
  for (const section of sections) {
    const chosen = choosePassages(section, sections.length === 1 ? left : Math.min(left, 2));
    left -= chosen.length;
    quotes.push({
      found: section,
      passages: [`**${section.section.heading}**`, ...chosen.map(write)],
      plain: chosen.flatMap((passage) => passage.lines.map((line) => line.plain)).join(" "),
    });
  }
  return quotes;
}

/** The passages that speak most of the question; with a list also the sentence that leads to it. */
function choosePassages(found: FoundSection, most: number): Passage[] {
  const passages = found.section.passages;
  const scores = passages.map((passage) => scoreOf(passage, found.words));
  const top = Math.max(...scores);
  const wanted = new Set<number>();
  const byScore = [...scores.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  for (const index of byScore) {
    if (wanted.size >= most) break;
    if (wanted.size > 0 && (scores[index] ?? 0) < top / 2) break;
    wanted.add(index);
    // "Check these things first:" says nothing without what follows, and what follows little without it.
    const partner =
      passages[index]?.kind === "paragraph" ? listAfter(passages, index) : leadBefore(passages, index);
    if (partner !== undefined && wanted.size < most) wanted.add(partner);
  }
  const chosen = [...wanted].sort((one, other) => one - other);
  return chosen.flatMap((index) => {
    const passage = passages[index];
    return passage ? [shorten(passage, found.words)] : [];
  });
}

function leadsOn(passage: Passage | undefined): boolean {
  return passage?.kind === "paragraph" && passage.lines.at(-1)?.plain.endsWith(":") === true;
}

function listAfter(passages: readonly Passage[], index: number): number | undefined {
  return leadsOn(passages[index]) && passages[index + 1] ? index + 1 : undefined;
}

function leadBefore(passages: readonly Passage[], index: number): number | undefined {
  return leadsOn(passages[index - 1]) ? index - 1 : undefined;
}

function scoreOf(passage: Passage, words: ReadonlySet<string>): number {
  return new Set(passage.lines.flatMap((line) => hits(line, words))).size;
}

function hits(line: InlineText, words: ReadonlySet<string>): string[] {
  return indexWords(line.plain).filter((word) => words.has(word));
}

/** Steps stay whole: half of a procedure is a wrong one. Of the others the lines that speak of the question stay. */
function shorten(passage: Passage, words: ReadonlySet<string>): Passage {
  const { kind, lines } = passage;
  if (kind === "steps" || kind === "code") return { kind, lines: lines.slice(0, 20) };
  if (kind === "paragraph") {
    if (lines.length <= MAX_SENTENCES) return passage;
    return { kind, lines: bestRun(lines, words) };
  }
  const some = kind === "rows" || lines.length > MAX_LINES ? linesApart(lines, words) : lines;
  return { kind, lines: some.slice(0, MAX_LINES) };
}

/** The lines that one of the question's words sets apart ("Ireland"); a word that is in every line chooses none. */
function linesApart(lines: readonly InlineText[], words: ReadonlySet<string>): readonly InlineText[] {
  const found = lines.map((line) => new Set(hits(line, words)));
  const apart = lines.filter((_, index) =>
    [...(found[index] ?? [])].some((word) => !found.every((others) => others.has(word))),
  );
  return apart.length > 0 ? apart : lines;
}

/** The run of sentences that holds most of the question's words; the earliest of equals. */
function bestRun(lines: readonly InlineText[], words: ReadonlySet<string>): InlineText[] {
  let best = { from: 0, score: -1 };
  for (let from = 0; from + MAX_SENTENCES <= lines.length; from += 1) {
    const run = lines.slice(from, from + MAX_SENTENCES);
    const score = new Set(run.flatMap((line) => hits(line, words))).size;
    if (score > best.score) best = { from, score };
  }
  return lines.slice(best.from, best.from + MAX_SENTENCES);
}

function write(passage: Passage): string {
  switch (passage.kind) {
    case "paragraph":
      return passage.lines.map((line) => line.marked).join(" ");
    case "steps":
      return passage.lines.map((line, index) => `${index + 1}. ${line.marked}`).join("\n");
    case "code":
      return passage.lines.map((line) => line.marked).join("\n");
    default:
      return passage.lines.map((line) => `- ${line.marked}`).join("\n");
  }
}
