import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { errorFacts, type Log } from "../../../../shared/server/log.ts";
import { createOneAtATime } from "../../../../shared/server/one-at-a-time.ts";
import { type Article, parseArticle } from "../article.ts";
import type { ArticleFile } from "./article-file.ts";
import type { ArticleSource } from "./article-source.ts";

/** Articles that are parsed in one turn of the event loop: some milliseconds. */
const PER_TURN = 20;
const MEBIBYTE = 1024 * 1024;

/** The index of all articles at one time. An answer that holds one sees the same articles until its end. */
export interface Built {
  readonly passages: number;
}

export interface LibraryOptions<T extends Built> {
  readonly sources: readonly ArticleSource[];
  /** The base for article addresses without a host. */
  readonly baseUrl: string | undefined;
  readonly build: (articles: readonly Article[]) => T | Promise<T>;
  readonly log: Log;
  /** Other faults of the configuration. */
  readonly notes?: () => readonly string[];
}

/** The articles of all sources, replaced as a whole when one of them changes. */
export interface Library<T> {
  /** The folder for a new article, if one of the sources is a folder. */
  readonly folder: string | undefined;
  /** Undefined while the first articles are being fetched. */
  current(): T | undefined;
  /** Why there are no articles yet, in one sentence. */
  unavailable(): string | undefined;
  /** Faults of the configuration: sentences for an operator. */
  notes(): readonly string[];
}

/**
 * Loads the articles, and loads them again when they change. If that fails, the former articles stay, and the reason is
 * logged and noted.
 *
 * @throws Error with one sentence for an operator when they can't be loaded at the start
 */
export async function openLibrary<T extends Built>(options: LibraryOptions<T>): Promise<Library<T>> {
  const { sources, build, log } = options;
  let current: T | undefined;
  let fault: string | undefined;
  const waiting = () => sources.map((source) => source.waitsFor()).find((reason) => reason !== undefined);
  const load = async () => {
    const before = getHeapStatistics().used_heap_size;
    const files = (await Promise.all(sources.map(filesOf))).flat();
    const articles = withOwnIds(await parseAll(files, options.baseUrl));
    if (articles.every(({ sections }) => sections.length === 0)) {
      if (waiting() !== undefined) {
        current = undefined;
        return;
      }
      throw new Error(["The articles hold no text.", ...notesOf(sources)].join(" "));
    }
    const built = await build(articles);
    current = built;
    const megabytes = Math.max(0, Math.round((getHeapStatistics().used_heap_size - before) / MEBIBYTE));
    log.info({ articles: articles.length, passages: built.passages, megabytes }, "articles loaded");
  };
  const reload = async () => {
    try {
      await load();
      fault = undefined;
    } catch (error) {
      fault = `The changed articles are not used: ${error instanceof Error ? error.message : "unknown reason"}`;
      log.warn({ ...errorFacts(error), reason: fault }, "changed articles are not used");
    }
  };
  await load();
  const inOrder = createOneAtATime();
  let isDue = false;
  for (const source of sources) {
    source.watch(() => {
      // Changes during a reload need one more, however many they are.
      if (isDue) return;
      isDue = true;
      void inOrder("articles", () => {
        isDue = false;
        return reload();
      });
    });
  }
  return {
    folder: sources.find(({ folder }) => folder !== undefined)?.folder,
    current: () => current,
    unavailable: () => (current === undefined ? (waiting() ?? "There are no articles.") : undefined),
    notes: () => [...(fault === undefined ? [] : [fault]), ...notesOf(sources), ...(options.notes?.() ?? [])],
  };
}

function notesOf(sources: readonly ArticleSource[]): string[] {
  return sources.flatMap((source) => source.notes());
}

async function filesOf(source: ArticleSource): Promise<readonly ArticleFile[]> {
  const files = await source.read();
  const { folder } = source;
  return folder === undefined ? files : files.map((file) => ({ ...file, file: join(folder, file.path) }));
}

async function parseAll(files: readonly ArticleFile[], baseUrl: string | undefined): Promise<Article[]> {
  const articles: Article[] = [];
  for (const { path, text, file } of files) {
    try {
      articles.push({ ...parseArticle(path, text, baseUrl), file });
    } catch (cause) {
      // The parser is recursive, and quotes nested thousands of levels deep overflow its stack.
      throw new Error(`The article ${path} can't be read as Markdown.`, { cause });
    }
    if (articles.length % PER_TURN === 0) await nextTurn();
  }
  return articles;
}

/** Two paths can have the same id (`a-b.md`, `a/b.md`); the later ones get a number. */
function withOwnIds(articles: readonly Article[]): Article[] {
  const seen = new Map<string, number>();
  return articles.map((article) => {
    const count = (seen.get(article.id) ?? 0) + 1;
    seen.set(article.id, count);
    return count === 1 ? article : { ...article, id: `${article.id}.${count}` };
  });
}
