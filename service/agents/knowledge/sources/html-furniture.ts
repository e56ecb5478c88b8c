import { attribute, type Element, elementsOf, firstElement, textOf } from "./html-tree.ts";

/** Not text for readers. */
const UNREAD = new Set(
  "head script style noscript template svg math iframe object embed canvas video audio input select textarea datalist form dialog nav footer aside menu img picture map".split(
    " ",
  ),
);
const FURNITURE_ROLES = new Set(
  "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar".split(" "),
);
/** What sites without these elements and roles call the same parts. */
const FURNITURE_NAME =
  /^(?:site-|page-|main-|global-)?(?:nav|navbar|navigation|menu|footer|header|sidebar|breadcrumbs?|skip-link|cookie-?(?:banner|bar|consent|notice)?)$/i;
const NAMED = new Set(["div", "section", "ul", "ol", "span", "a", "p"]);

/** Tells the page's own text from what is around it. */
export interface Furniture {
  /** The element that holds the text. */
  readonly main: Element;
  /** Whether an element inside it, with all that it contains, is left out. */
  readonly isFurniture: (element: Element) => boolean;
}

/** @param body the page's `body` */
export function findFurniture(body: Element): Furniture {
  // A closed part of an accordion is hidden, and is often the answer.
  const opened = new Set(
    [...elementsOf(body)].flatMap((element) => (attribute(element, "aria-controls") ?? "").split(/\s+/)),
  );
  opened.delete("");
  const marked = firstElement(body, (element) => isMain(element) && textOf(element) !== "");
  const main = marked ?? body;
  return {
    main,
    isFurniture: (element) =>
      UNREAD.has(element.tagName) ||
      FURNITURE_ROLES.has(attribute(element, "role") ?? "") ||
      (isHidden(element) && !opened.has(attribute(element, "id") ?? "")) ||
      (marked === undefined && element.tagName === "header") ||
      (NAMED.has(element.tagName) && namesOf(element).some((name) => FURNITURE_NAME.test(name))),
  };
}

function isMain(element: Element): boolean {
  return (element.tagName === "main" || attribute(element, "role") === "main") && !isHidden(element);
}

function isHidden(element: Element): boolean {
  return (
    attribute(element, "hidden") !== undefined ||
    attribute(element, "aria-hidden") === "true" ||
    /display\s*:\s*none/i.test(attribute(element, "style") ?? "")
  );
}

function namesOf(element: Element): string[] {
  return `${attribute(element, "id") ?? ""} ${attribute(element, "class") ?? ""}`
    .split(/\s+/)
    .filter(Boolean);
}
