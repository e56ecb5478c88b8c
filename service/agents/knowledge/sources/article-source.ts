import type { ArticleFile } from "./article-file.ts";

/** A source of articles: a folder or a site. */
export interface ArticleSource {
  /** The folder in which the owner adds an article, if there is one. */
  readonly folder?: string;
  /** Reads all articles as they are now. @throws Error with one sentence for an operator */
  read(): Promise<readonly ArticleFile[]>;
  /** Calls `changed` whenever `read` would return something else, until the service stops. */
  watch(changed: () => void): void;
  /** Faults of the configuration: sentences for an operator. */
  notes(): readonly string[];
  /** Why it has no article yet, in one sentence, while it fetches its first ones. */
  waitsFor(): string | undefined;
}
