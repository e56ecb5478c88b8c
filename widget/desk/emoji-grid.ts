/** As many as the style sheet draws in a row. */
export const COLUMNS = 8;

/**
 * The place that a key of the keyboard moves to, from `place`, in a grid of groups that each begin a new row. Places are
 * counted through all groups. Returns undefined for a key that does not move, and at the grid's edges.
 */
export function movedPlace(
  lengths: readonly number[],
  place: number,
  key: string,
  isRightToLeft: boolean,
): number | undefined {
  const rows = rowsOf(lengths);
  const at = rows.findIndex((row) => place < row.start + row.length);
  const row = rows[at];
  if (!row) return undefined;
  const last = row.start + row.length - 1;
  const inRow = (index: number) => {
    const other = rows[index];
    return other && other.start + Math.min(place - row.start, other.length - 1);
  };
  switch (key) {
    case isRightToLeft ? "ArrowLeft" : "ArrowRight":
      return place === last && at === rows.length - 1 ? undefined : place + 1;
    case isRightToLeft ? "ArrowRight" : "ArrowLeft":
      return place === 0 ? undefined : place - 1;
    case "ArrowDown":
      return inRow(at + 1);
    case "ArrowUp":
      return inRow(at - 1);
    case "Home":
      return row.start;
    case "End":
      return last;
    default:
      return undefined;
  }
}

function rowsOf(lengths: readonly number[]): { readonly start: number; readonly length: number }[] {
  const rows = [];
  let start = 0;
  for (const length of lengths) {
    for (let done = 0; done < length; done += COLUMNS) {
      rows.push({ start: start + done, length: Math.min(COLUMNS, length - done) });
    }
    start += length;
  }
  return rows;
}
