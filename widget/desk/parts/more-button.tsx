import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import controlsStyles from "../css/controls.module.css";

/**
 * The button for a list's next page. Where it was pressed and is gone after the last page, the focus goes to the first
 * row of that page; otherwise a keyboard would start again at the top of the desk.
 */
export function MoreButton(props: {
  list: RefObject<HTMLElement | null>;
  hasMore: boolean;
  isReading?: boolean;
  name: string;
  onMore: () => void;
}) {
  const { list, hasMore, isReading = false } = props;
  const shownBefore = useRef<ReadonlySet<Element> | undefined>(undefined);
  useLayoutEffect(() => {
    const before = shownBefore.current;
    if (!before || isReading) return;
    const rows = [...(list.current?.children ?? [])];
    const added = rows.find((each) => !before.has(each));
    // The page has not arrived, or could not be read.
    if (!added && hasMore) return;
    shownBefore.current = undefined;
    const row = (added ?? rows.at(-1)) as HTMLElement | undefined;
    if (!hasMore && document.activeElement === document.body) focusOn(row);
  });
  if (!hasMore) return null;
  return (
    <button
      type="button"
      class={controlsStyles.button}
      aria-disabled={isReading}
      onClick={() => {
        shownBefore.current = new Set(list.current?.children);
        props.onMore();
      }}
    >
      {props.name}
    </button>
  );
}

/** Focuses the row's button, or a row without one. */
function focusOn(row: HTMLElement | undefined): void {
  const button = row?.querySelector("button");
  if (row && !button) row.tabIndex = -1;
  (button ?? row)?.focus();
}
