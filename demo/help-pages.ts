import { readdirSync, readFileSync } from "node:fs";
import { marked } from "marked";

/** One help article of the demo shop. */
export interface HelpPage {
  /** The path's last part: `/help/SLUG`. */
  readonly slug: string;
  readonly title: string;
  readonly html: string;
}

/**
 * Reads the help articles from `directory` and renders them. They are files of this repository, and the pages' policy
 * allows no script in them.
 */
export function readHelpPages(directory: URL): HelpPage[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      const [, front = "", body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
      return {
        slug: name.slice(0, -".md".length),
        title: /^title: (.+)$/m.exec(front)?.[1] ?? name,
        html: marked.parse(body, { async: false }),
      };
    });
}
