import type { ArticleFile } from "./article-file.ts";

/** Where articles come from: a folder, a site. */
export interface ArticleSource {
  /** Where its owner adds an article, if that is a folder. */
  readonly folder?: string;
  /** Reads all articles as they are now. @throws Error with one sentence for an operator */
  read(): Promise<readonly ArticleFile[]>;
  /** Calls `changed` whenever `read` would return something else, until the service stops. */
  watch(changed: () => void): void;
  /** What is not as configured: sentences for an operator. */
  notes(): readonly string[];
  /** Why it has no article yet, in one sentence, while it fetches its first ones. */
  waitsFor(): string | undefined;
}
