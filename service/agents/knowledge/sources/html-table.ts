import { attribute, childrenOf, type Element, elementsOf, firstElement, isElement } from "./html-tree.ts";

/** As many columns as a reader could follow; an absurd `colspan` must not make millions. */
const MAX_SPAN = 50;
const MAX_ROW_SPAN = 500;
/** In characters, with the repeated cells: four times what a whole page may have. */
const MAX_TABLE = 4_000_000;

/** Whether a table holds data and not the page's layout. */
export function isDataTable(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(attribute(table, "role") ?? "")) return false;
  if (firstElement(table, ({ tagName }) => tagName === "table" || /^h[1-6]$/.test(tagName))) return false;
  const rows = rowsOf(table);
  return rows.length > 1 && rows.some((row) => cellsOf(row).length > 1);
}

export function rowsOf(table: Element): Element[] {
  return [...elementsOf(table)].filter(({ tagName }) => tagName === "tr");
}

export function cellsOf(row: Element): Element[] {
  return childrenOf(row)
    .filter(isElement)
    .filter(({ tagName }) => tagName === "td" || tagName === "th");
}

/**
 * Formats a table as Markdown. A cell over several columns or rows is repeated in each, so that every row can be read
 * without its neighbours.
 *
 * @throws RangeError for a table that becomes far larger than any page
 */
export function tableMarkdown(table: Element, textOf: (cell: Element) => string): string {
  const rows = rowsOf(table);
  const grid: string[][] = rows.map(() => []);
  let size = 0;
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of cellsOf(row)) {
      while (grid[y]?.[x] !== undefined) x += 1;
      const text = textOf(cell);
      const width = span(cell, "colspan", MAX_SPAN);
      const height = Math.min(span(cell, "rowspan", MAX_ROW_SPAN), rows.length - y);
      size += width * height * (text.length + 1);
      requireTable(size);
      for (let down = 0; down < height; down += 1) {
        for (let right = 0; right < width; right += 1) (grid[y + down] as string[])[x + right] ??= text;
      }
      x += width;
    }
  }
  const filled = grid.filter((cells) => cells.some((text) => text !== undefined && text !== ""));
  const width = filled.reduce((most, { length }) => Math.max(most, length), 0);
  requireTable(size + filled.length * width);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, x) => cells[x] ?? "").join(" | ")} |`;
  const [head = [], ...body] = filled;
  return [line(head), line(Array.from({ length: width }, () => "---")), ...body.map(line)].join("\n");
}

function requireTable(size: number): void {
  if (size > MAX_TABLE) throw new RangeError("The table is too large.");
}

function span(cell: Element, name: string, most: number): number {
  const value = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Math.min(Math.max(Number.isNaN(value) ? 1 : value, 1), most);
}
