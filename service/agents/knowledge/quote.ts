import { joinSentences, type Line, leadsOn, listMarkdown, type Passage, type Section } from "./article.ts";
import type { FoundSection } from "./found-sections.ts";
import { ENGLISH, type KnowledgeSentences, leftOut } from "./knowledge-texts.ts";
import { type Part, type QuotedSection, withWarnings } from "./quoted-warnings.ts";
import { rowsAskedFor } from "./rows-asked-for.ts";

/** The quoted part of one section: its heading and passages in the safe subset, in the article's order. */
export interface Quote {
  readonly found: FoundSection;
  readonly passages: readonly string[];
  /** The quoted text without Markdown, for the citation. */
  readonly plain: string;
}

/** A longer text would be a page, not an answer. */
const MAX_PASSAGES = 3;
const MAX_SENTENCES = 5;
const MAX_LINES = 12;
const MAX_STEPS = 20;

/**
 * Chooses one to three passages of the best sections. Each line is quoted whole and in its order. If lines of a passage
 * are left out, a sentence after it says how many.
 */
export function chooseQuotes(
  found: readonly FoundSection[],
  sentences: KnowledgeSentences = ENGLISH,
): Quote[] {
  const sections = sectionsToQuote(found);
  const quoted: QuotedSection[] = [];
  let left = MAX_PASSAGES;
  for (const section of sections) {
    if (left === 0) break;
    // A short section stays whole: what is left belongs to the next one.
    const isWhole = section.section.passages.length <= left;
    const parts = chooseParts(section, sections.length === 1 || isWhole ? left : Math.min(left, 2));
    if (parts.length === 0) continue;
    left -= parts.length;
    quoted.push({ found: section, parts });
  }
  return withWarnings(quoted).map(({ found: of, parts }) => ({
    found: of,
    passages: [`**${of.section.heading}**`, ...parts.flatMap((part) => write(part, sentences))],
    plain: joinSentences(parts.flatMap(({ lines }) => lines.map((line) => line.plain))),
  }));
}

/** Returns the best section and the one that it refers to, or the one that answers nearly as well. */
function sectionsToQuote([best, second]: readonly FoundSection[]): FoundSection[] {
  if (!best) return [];
  const like = (section: Section) => ({ ...best, section, whole: section });
  const next = pointedTo(best);
  if (next) return [best, like(next)];
  const before = pointedBackTo(best);
  if (before) return [like(before), best];
  if (!second) return [best];
  return pointedTo(second) === best.whole ? [second, best] : [best, second];
}

const POINTS_ON = /\bbelow\b|\bfollowing\b|:$/i;

/** "With any of the methods below" at the end of a section needs the section that follows. */
function pointedTo({ article, section, whole }: FoundSection): Section | undefined {
  const last = section.passages.at(-1);
  const points = last?.kind === "paragraph" && last.lines.some(({ plain }) => POINTS_ON.test(plain));
  return points ? article.sections[article.sections.indexOf(whole) + 1] : undefined;
}

const POINTS_BACK = /\bthe same way\b|\b(?:as|see|listed|named|described|shown) above\b/i;

/** "Report it in the same way" needs the section before it. */
function pointedBackTo({ article, section, whole }: FoundSection): Section | undefined {
  const points = section.passages.some(({ lines }) => lines.some(({ plain }) => POINTS_BACK.test(plain)));
  return points ? article.sections[article.sections.indexOf(whole) - 1] : undefined;
}

/** Chooses the passages that match the question best. A list and the sentence that introduces it stay together. */
function chooseParts(found: FoundSection, most: number): Part[] {
  const { passages } = found.section;
  const scores = passages.map((passage) => scoreOf(passage, found));
  const top = Math.max(...scores);
  // A short section stays whole, because a rule is often followed by its exception.
  const wanted = new Set<number>(passages.length <= most ? passages.keys() : []);
  const byScore = [...scores.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  for (const index of byScore) {
    if (wanted.size > 0 && (scores[index] ?? 0) < top / 2) break;
    const group = withPartner(passages, index).filter((one) => !wanted.has(one));
    if (wanted.size + group.length > most) continue;
    for (const one of group) wanted.add(one);
  }
  const chosen = [...wanted].sort((one, other) => one - other);
  return chosen.flatMap((index) => {
    const passage = passages[index];
    return passage ? [{ passage, lines: linesOf(passage, found) }] : [];
  });
}

/** "Check these things first:" needs what follows, and vice versa. */
function withPartner(passages: readonly Passage[], index: number): number[] {
  if (leadsOn(passages[index]) && passages[index + 1]) return [index, index + 1];
  return leadsOn(passages[index - 1]) ? [index - 1, index] : [index];
}

function scoreOf(passage: Passage, found: FoundSection): number {
  return new Set(passage.lines.flatMap((line) => hits(line, found))).size;
}

function hits(line: Line, { words, termsOf }: FoundSection): string[] {
  return termsOf(line.plain).filter((word) => words.has(word));
}

/** Returns all lines, except of a very long passage or of a table whose row the question names. */
function linesOf(passage: Passage, found: FoundSection): readonly Line[] {
  const { kind, lines } = passage;
  if (kind === "steps" || kind === "code") return lines.slice(0, MAX_STEPS);
  if (kind === "paragraph") return lines.length > MAX_SENTENCES ? bestRun(lines, found) : lines;
  const rows = kind === "rows" ? rowsAskedFor(passage, found) : undefined;
  const some = rows ? lines.filter((_, index) => rows.includes(index)) : lines;
  return some.length > MAX_LINES ? linesApart(some, found).slice(0, MAX_LINES) : some;
}

/** If there are too many lines, returns those that contain a word of the question which the others lack, if any. */
function linesApart(lines: readonly Line[], found: FoundSection): readonly Line[] {
  const words = lines.map((line) => new Set(hits(line, found)));
  const apart = lines.filter((_, index) =>
    [...(words[index] ?? [])].some((word) => !words.every((others) => others.has(word))),
  );
  return apart.length > 0 ? apart : lines;
}

/** Finds the run of sentences with the most words of the question; the first one if several are equal. */
function bestRun(lines: readonly Line[], found: FoundSection): Line[] {
  let best = { from: 0, score: -1 };
  for (let from = 0; from + MAX_SENTENCES <= lines.length; from += 1) {
    const run = lines.slice(from, from + MAX_SENTENCES);
    const score = new Set(run.flatMap((line) => hits(line, found))).size;
    if (score > best.score) best = { from, score };
  }
  return lines.slice(best.from, best.from + MAX_SENTENCES);
}

/** Formats the lines as Markdown that the panel can draw, with the number of lines left out. */
function write({ passage, lines }: Part, sentences: KnowledgeSentences): string[] {
  const text = written(passage, lines);
  const all = passage.lines.length;
  return lines.length < all ? [text, leftOut(lines.length, all, sentences)] : [text];
}

function written(passage: Passage, lines: readonly Line[]): string {
  const { kind, head = "" } = passage;
  const marked = lines.map((line) => line.marked);
  if (kind === "rows") return [head, ...marked].join("\n");
  if (kind === "paragraph") return joinSentences(marked);
  if (kind === "code") return marked.join("\n");
  return listMarkdown({ ...passage, lines });
}
