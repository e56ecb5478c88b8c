import { parse } from "parse5";
import type { ArticleFile } from "./article-file.ts";
import { findFurniture } from "./html-furniture.ts";
import { blockMarkdown } from "./html-markdown.ts";
import { attribute, type Element, elementsOf, firstElement, textOf } from "./html-tree.ts";

/**
 * Returns a page as a Markdown article: its title and address, and the text of its main part without navigation, footer
 * and forms. Nothing in the page runs or is fetched.
 *
 * @param url the address that it was fetched from; without one the page's own canonical address
 * @throws RangeError for elements nested thousands of levels deep
 */
export function htmlArticle(path: string, html: string, url?: string): ArticleFile {
  const document = parse(html);
  const root = firstElement(document, ({ tagName }) => tagName === "html");
  const body = root && firstElement(root, ({ tagName }) => tagName === "body");
  if (!root || !body) return { path, text: "" };
  const address = url ?? canonicalOf(root);
  const { main, isFurniture } = findFurniture(body);
  const text = blockMarkdown(main, { isFurniture, base: address }).join("\n\n");
  const title = titleOf(root, main, isFurniture);
  const facts = [title === "" ? "" : `title: ${title}\n`, address === undefined ? "" : `url: ${address}\n`];
  return { path, text: `---\n${facts.join("")}---\n\n${text}\n` };
}

function canonicalOf(root: Element): string | undefined {
  const link = firstElement(
    root,
    (element) => element.tagName === "link" && attribute(element, "rel")?.toLowerCase() === "canonical",
  );
  return link && attribute(link, "href");
}

/** The only main heading, or the page's title without the name of the site. */
function titleOf(root: Element, main: Element, isFurniture: (element: Element) => boolean): string {
  const headings = [...elementsOf(main)].filter(
    (element) => element.tagName === "h1" && !isFurniture(element),
  );
  const [heading] = headings;
  if (heading && headings.length === 1 && textOf(heading) !== "") return textOf(heading);
  const title = firstElement(root, ({ tagName }) => tagName === "title");
  return title ? (textOf(title).split(/ [|·–—] /)[0] ?? "").trim() : "";
}
