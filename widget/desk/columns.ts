import { type ReadonlySignal, signal } from "@preact/signals";

/** How many of list, conversation and customer are side by side. */
export type Columns = 1 | 2 | 3;

/** The widths below which css/layout.module.css shows one column less. In rem, so that enlarged text counts. */
const NARROWER = ["(width < 70rem)", "(width < 47.5rem)"] as const;

/** Follows the window's width. */
export function watchColumns(
  matchMedia: (query: string) => Pick<MediaQueryList, "matches" | "addEventListener">,
): ReadonlySignal<Columns> {
  const widths = NARROWER.map((query) => matchMedia(query));
  const count = () => (3 - widths.filter(({ matches }) => matches).length) as Columns;
  const columns = signal(count());
  for (const width of widths) {
    width.addEventListener("change", () => {
      columns.value = count();
    });
  }
  return columns;
}
