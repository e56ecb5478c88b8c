import { warns } from "./analysis/warnings.ts";
import { type Line, leadsOn, type Passage, type Section } from "./article.ts";
import type { FoundSection } from "./found-sections.ts";

/** Some lines of a passage, in their order. */
export interface Part {
  readonly passage: Passage;
  readonly lines: readonly Line[];
}

/** What is quoted of a section. */
export interface QuotedSection {
  readonly found: FoundSection;
  readonly parts: readonly Part[];
}

/** More of them are a chapter about safety, whose title the customer sees. */
const MOST_ADDED = 2;

/**
 * Adds the warnings of the same article about what is quoted, so that a rule does not lose its other half: "Rinse the
 * filter" in one section, "Never rinse the filter with solvents" in another. In the quoted section any warning counts,
 * elsewhere one that has a telling word of the quote which is not in the title.
 */
export function withWarnings(quoted: readonly QuotedSection[]): QuotedSection[] {
  const sections = bySection(quoted);
  const [first] = sections.values();
  if (!first) return [];
  const { article, language, termsOf } = first.found;
  const words = tellingWords(quoted);
  let left = MOST_ADDED;
  for (const section of article.sections) {
    const own = sections.get(section);
    const isMeant = ({ plain }: Line) =>
      warns(plain, language) && (own !== undefined || termsOf(plain).some((word) => words.has(word)));
    const shown = new Set(own?.parts.flatMap(({ lines }) => lines));
    const added = section.passages.flatMap(({ kind, lines }) =>
      kind === "rows" || kind === "code" ? [] : lines.filter((line) => !shown.has(line) && isMeant(line)),
    );
    const taken = new Set(added.slice(0, left));
    if (taken.size === 0) continue;
    left -= taken.size;
    const found = own?.found ?? { ...first.found, whole: section, section };
    sections.set(section, { found, parts: partsWith(taken, shown, section) });
  }
  return [...sections.values()];
}

/** Joins the parts of one long section that were found apart, in the section's order. */
function bySection(quoted: readonly QuotedSection[]): Map<Section, QuotedSection> {
  const sections = new Map<Section, QuotedSection>();
  for (const { found, parts } of quoted) {
    const before = sections.get(found.whole)?.parts ?? [];
    const all = [...before, ...parts];
    const place = ({ passage }: Part) => found.whole.passages.indexOf(passage);
    sections.set(found.whole, { found, parts: all.sort((one, other) => place(one) - place(other)) });
  }
  return sections;
}

/** The telling words of what is quoted, without those of the title: they are in most sections. */
function tellingWords(quoted: readonly QuotedSection[]): Set<string> {
  const read = quoted.flatMap(({ found, parts }) =>
    parts.flatMap(({ lines }) => lines.flatMap(({ plain }) => found.termsOf(plain))),
  );
  const title = new Set(quoted.flatMap(({ found }) => found.termsOf(found.article.title)));
  return new Set(read.filter((word) => !title.has(word)));
}

/**
 * The lines that were shown and those that are added, with what they need: the sentence before, the other steps, and
 * what introduces a list.
 */
function partsWith(taken: ReadonlySet<Line>, shown: ReadonlySet<Line>, { passages }: Section): Part[] {
  const isTaken = (passage: Passage | undefined) => passage?.lines.some((line) => taken.has(line)) === true;
  return passages.flatMap((passage, at) => {
    const introduces = leadsOn(passage) && isTaken(passages[at + 1]);
    const lines = passage.lines.filter((line, index) => {
      const next = passage.lines[index + 1];
      if (shown.has(line) || taken.has(line)) return true;
      if (passage.kind === "steps") return isTaken(passage);
      if (passage.kind !== "paragraph") return false;
      return next === undefined ? introduces : taken.has(next);
    });
    return lines.length > 0 ? [{ passage, lines }] : [];
  });
}
