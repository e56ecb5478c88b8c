import { parse } from "parse5";
import { childrenOf, elementsOf, firstElement, type Node } from "./html-tree.ts";

export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

/** Returns the addresses of a sitemap, or of an index of sitemaps; undefined for another document. */
export function readSitemap(text: string): Sitemap | undefined {
  const root = /<(\w+:)?(?:urlset|sitemapindex)[\s>]/i.exec(text.slice(0, 4096));
  if (!root) return undefined;
  const prefix = root[1]?.toLowerCase() ?? "";
  // Its elements are unknown to HTML, which leaves them as they are. CDATA would become a comment.
  const document = parse(text.replace(/<!\[CDATA\[([^<]*)\]\]>/g, "$1"));
  const addressesIn = (name: string) =>
    [...elementsOf(document)]
      .filter(({ tagName }) => tagName === prefix + name)
      .flatMap((entry) => {
        const place = firstElement(entry, ({ tagName }) => tagName === `${prefix}loc`);
        // Only its own text: without end tags each entry is inside the one before.
        return place ? [childrenOf(place).map(ownText).join("").trim()] : [];
      });
  return { pages: addressesIn("url"), sitemaps: addressesIn("sitemap") };
}

const ownText = (node: Node) => ("value" in node ? node.value : "");
