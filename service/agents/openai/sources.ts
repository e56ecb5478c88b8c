import type { MadePassage } from "../../../shared/answer-made.ts";
import type { Citation } from "../../../shared/message-kinds/citations.ts";
import { clip } from "../clip.ts";
import { figuresOf } from "./figures.ts";

const MAX_EXCERPT = 300;

/** Something that an answer may be built on: a passage of an article, or what a tool returned. */
export interface Source {
  /** The same for passages of one article. */
  readonly id: string;
  readonly title: string;
  readonly url?: string | undefined;
  readonly text: string;
  /** Only what is public is quoted under the answer. */
  readonly isPublic: boolean;
  /** The passage as the desk shows it, if it is one. */
  readonly made?: MadePassage;
}

/** The sources of one answer, numbered from 1 as the model knows them. */
export interface Sources {
  add(source: Source): number;
  all(): readonly number[];
  /** Those of the numbers that exist, each once. */
  known(numbers: readonly number[]): number[];
  hasFigure(figure: string, among: readonly number[]): boolean;
  /** The whole text of a source, with its address. */
  textOf(number: number): string;
  isArticle(number: number): boolean;
  /** Shows a source to the customer. Returns its citation if this is the first time. */
  show(number: number): Citation | undefined;
  /** The number that the customer sees. */
  shownNumber(number: number): number | undefined;
  /** The passages of articles, `quoted` where the answer named them. */
  made(): readonly MadePassage[];
}

/** @param said what the customer wrote, whose numbers an answer may repeat */
export function createSources(said: string): Sources {
  const sources: { source: Source; figures: ReadonlySet<string> }[] = [];
  const own = new Set(figuresOf(said));
  const shown = new Map<string, number>();
  const named = new Set<Source>();
  return {
    add(source) {
      const figures = new Set(figuresOf(`${source.title}\n${source.url ?? ""}\n${source.text}`));
      return sources.push({ source, figures });
    },
    all: () => sources.map((_, at) => at + 1),
    known: (numbers) => [...new Set(numbers)].filter((number) => number >= 1 && number <= sources.length),
    hasFigure: (figure, among) =>
      own.has(figure) || among.some((number) => sources[number - 1]?.figures.has(figure)),
    textOf(number) {
      const source = sources[number - 1]?.source;
      return source ? `${source.url ?? ""}\n${source.text}` : "";
    },
    isArticle: (number) => sources[number - 1]?.source.isPublic ?? false,
    show(number) {
      const source = sources[number - 1]?.source;
      if (!source) return undefined;
      named.add(source);
      if (shown.has(source.id)) return undefined;
      shown.set(source.id, shown.size + 1);
      return citationOf(source);
    },
    shownNumber: (number) => shown.get(sources[number - 1]?.source.id ?? ""),
    made: () =>
      sources.flatMap(({ source }) =>
        source.made ? { ...source.made, use: named.has(source) ? "quoted" : "found" } : [],
      ),
  };
}

function citationOf({ id, title, url, text, isPublic }: Source): Citation {
  return {
    citationId: id,
    title: clip(title, 300),
    ...(url ? { url } : {}),
    ...(isPublic ? { excerpt: clip(text, MAX_EXCERPT) } : {}),
  };
}
