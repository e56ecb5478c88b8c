import { readdirSync, readFileSync } from "node:fs";
import { marked } from "marked";

/** One help article of the demo shop, as its page shows it. */
export interface HelpPage {
  /** The path's last part: `/help/SLUG`. */
  readonly slug: string;
  readonly title: string;
  readonly html: string;
}

/**
 * The demo's help articles as pages, read once from `directory`: the agent's citations lead there.
 * They are this repository's own files, shown under a policy that allows no script of theirs.
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
