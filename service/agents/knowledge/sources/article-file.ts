/** One article before it is parsed. */
export interface ArticleFile {
  /** Its path in its source, with `/` on every system; the article's id is made from it. */
  readonly path: string;
  /** Its file on this machine; absent for a page of a site. */
  readonly file?: string;
  /** Markdown, with optional front matter (`title`, `url`). */
  readonly text: string;
}
