import type { Article, Passage, Section } from "../article.ts";

/** A part of an article that is found and quoted by itself: a section, or a part of a long one. */
export interface Chunk {
  readonly id: string;
  readonly article: Article;
  /** The whole section. */
  readonly section: Section;
  readonly passages: readonly Passage[];
}

/** A section with more characters is divided: its passages may be about different things. */
const LONG = 1_400;
const ENOUGH = 500;

export function chunksOf(article: Article): Chunk[] {
  const chunks: Chunk[] = [];
  const add = (section: Section, passages: readonly Passage[]) =>
    chunks.push({ id: `${article.id}#${chunks.length}`, article, section, passages });
  for (const section of article.sections) {
    const total = section.passages.reduce((sum, passage) => sum + lengthOf(passage), 0);
    if (total <= LONG) {
      add(section, section.passages);
      continue;
    }
    let open: Passage[] = [];
    let length = 0;
    for (const passage of section.passages) {
      open.push(passage);
      length += lengthOf(passage);
      // What a sentence introduces stays with it.
      if (length < ENOUGH || passage.lines.at(-1)?.plain.endsWith(":")) continue;
      add(section, open);
      [open, length] = [[], 0];
    }
    if (open.length > 0) add(section, open);
  }
  return chunks;
}

/** The text of passages without Markdown. */
export function plainTextOf(passages: readonly Passage[]): string {
  return passages.flatMap(({ lines }) => lines.map(({ plain }) => plain)).join("\n");
}

function lengthOf({ lines }: Passage): number {
  return lines.reduce((sum, { plain }) => sum + plain.length, 0);
}
