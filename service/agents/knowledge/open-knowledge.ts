import { type Log, SILENT_LOG } from "../../../shared/server/log.ts";
import type { AgentDeps } from "../provider.ts";
import type { Article } from "./article.ts";
import { createEmbeddings, type Embeddings, type VectorRanking } from "./embeddings/embeddings.ts";
import type { EmbeddingsEndpoint } from "./embeddings/embeddings-client.ts";
import { openPassageSearch, type PassageSearch } from "./passages.ts";
import type { ArticleSource } from "./sources/article-source.ts";
import { createFolderSource } from "./sources/folder-source.ts";
import { type Built, type Library, openLibrary } from "./sources/library.ts";
import { createSiteSource } from "./sources/site-source.ts";

interface Surroundings {
  readonly log?: Log;
  readonly embeddings?: Embeddings | undefined;
  /** Noted as long as the articles are used. */
  readonly warnings?: readonly string[];
}

/** All articles of one moment, ready to be searched. */
export interface Knowledge extends Built {
  /** Another ranking of the same passages, where `EMBEDDINGS_BASE_URL` is set. */
  readonly vectors: VectorRanking | undefined;
  readonly search: PassageSearch;
}

/** Where the articles come from. */
export interface KnowledgeSettings {
  readonly directory: string | undefined;
  /** Pages and sitemaps of the owner's site. */
  readonly urls: readonly string[];
  readonly everyHours: number;
  readonly baseUrl: string | undefined;
  readonly endpoint: EmbeddingsEndpoint | undefined;
  readonly warnings: readonly string[];
}

/** Opens the articles of the settings. @throws Error with one sentence for an operator */
export function openKnowledge(settings: KnowledgeSettings, deps: AgentDeps): Promise<Library<Knowledge>> {
  const { directory, urls, everyHours, baseUrl, endpoint, warnings } = settings;
  const sources = [
    ...(directory === undefined ? [] : [createFolderSource(directory, deps)]),
    ...(urls.length === 0 ? [] : [createSiteSource({ urls, everyHours }, deps)]),
  ];
  const embeddings = endpoint && createEmbeddings(endpoint, deps);
  for (const reason of warnings) deps.log.warn({ reason }, "the demo's articles are used");
  return openSources(sources, baseUrl, { log: deps.log, embeddings, warnings });
}

/** Opens the articles of `sources`. Without a log nothing is logged. */
export function openSources(
  sources: readonly ArticleSource[],
  baseUrl?: string,
  { log = SILENT_LOG, embeddings, warnings = [] }: Surroundings = {},
): Promise<Library<Knowledge>> {
  const build = async (articles: readonly Article[]): Promise<Knowledge> => {
    const search = await openPassageSearch(articles);
    return { search, passages: search.all.length, vectors: embeddings?.index(search.all) };
  };
  const notes = () => [...warnings, ...(embeddings?.notes() ?? [])];
  return openLibrary({ sources, baseUrl, build, log, notes });
}
