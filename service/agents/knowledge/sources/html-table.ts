import { attribute, childrenOf, type Element, elementsOf, isElement } from "./html-tree.ts";

/** As many columns as a reader could follow; an absurd `colspan` must not make millions. */
const MAX_SPAN = 50;
const MAX_ROW_SPAN = 500;

/** Whether a table holds data and not the page's layout. */
export function isDataTable(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(attribute(table, "role") ?? "")) return false;
  const cells = [...elementsOf(table)];
  if (cells.some(({ tagName }) => tagName === "table" || /^h[1-6]$/.test(tagName))) return false;
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
 */
export function tableMarkdown(table: Element, textOf: (cell: Element) => string): string {
  const rows = rowsOf(table);
  const grid: string[][] = rows.map(() => []);
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of cellsOf(row)) {
      while (grid[y]?.[x] !== undefined) x += 1;
      const text = textOf(cell);
      const width = span(cell, "colspan", MAX_SPAN);
      const height = span(cell, "rowspan", MAX_ROW_SPAN);
      for (let down = 0; down < height && grid[y + down] !== undefined; down += 1) {
        for (let right = 0; right < width; right += 1) (grid[y + down] as string[])[x + right] ??= text;
      }
      x += width;
    }
  }
  const filled = grid.filter((cells) => cells.some((text) => text !== undefined && text !== ""));
  const width = Math.max(0, ...filled.map((cells) => cells.length));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, x) => cells[x] ?? "").join(" | ")} |`;
  const [head = [], ...body] = filled;
  return [line(head), line(Array.from({ length: width }, () => "---")), ...body.map(line)].join("\n");
}

function span(cell: Element, name: string, most: number): number {
  const value = Number.parseInt(attribute(cell, name) ?? "1", 10);
  return Math.min(Math.max(Number.isNaN(value) ? 1 : value, 1), most);
}
