import { type DefaultTreeAdapterTypes, defaultTreeAdapter as tree } from "parse5";

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** The elements and texts of a parent, without comments. */
export function childrenOf(parent: Parent): Node[] {
  return parent.childNodes.filter((node) => tree.isElementNode(node) || tree.isTextNode(node));
}

export function isElement(node: Node): node is Element {
  return tree.isElementNode(node);
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** Every element and text below `parent`, in the document's order. A page may nest them thousands of levels deep. */
function* nodesOf(parent: Parent): Generator<Node> {
  const waiting = childrenOf(parent).reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if (tree.isElementNode(node)) for (const child of childrenOf(node).reverse()) waiting.push(child);
  }
}

export function* elementsOf(parent: Parent): Generator<Element> {
  for (const node of nodesOf(parent)) if (tree.isElementNode(node)) yield node;
}

export function firstElement(parent: Parent, test: (element: Element) => boolean): Element | undefined {
  for (const element of elementsOf(parent)) if (test(element)) return element;
  return undefined;
}

/** The text of an element on one line, as a reader sees it. */
export function textOf(node: Node): string {
  return rawText(node).replace(/\s+/g, " ").trim();
}

/** The text of an element with its spaces and lines. */
export function rawText(node: Node): string {
  return [node, ...(tree.isElementNode(node) ? nodesOf(node) : [])].map(ownText).join("");
}

function ownText(node: Node): string {
  if (tree.isTextNode(node)) return node.value;
  return node.nodeName === "br" ? "\n" : "";
}
