import type { VNode } from "preact";
import type { LogEntry, PendingItem, Row, Section } from "../../client/rows.ts";
import { type Keep, useKeep } from "../../elements/keep.ts";
import styles from "../../elements/log.module.css";

/**
 * Renders each section, row and message once: returning the same element again makes Preact skip that part of the page.
 * A section is rendered again when it changed, when it contains or contained the customer's newest message, and when
 * `stale` changed.
 */
export function useDrawnSections<E extends LogEntry, P extends PendingItem>(
  stale: readonly unknown[],
  drawRow: (row: Row<E, P>, newestOwn: string | undefined, keep: Keep) => VNode,
) {
  const keep = useKeep(stale);
  /** `newest` is the key of the customer's newest message, if it is in this section. */
  return (section: Section<E, P>, newest: string | undefined, isLast: boolean): VNode =>
    keep(section, `${newest} ${isLast}`, () => (
      <DrawnSection
        key={section.key}
        isLast={isLast}
        rows={section.rows.map((row) => {
          const own = holds(row, newest) ? newest : undefined;
          return keep(row, `${own}`, () => drawRow(row, own, keep));
        })}
      />
    ));
}

/** Preact skips only components: for an element that is returned again it still compares each child. */
function DrawnSection({ rows, isLast }: { rows: readonly VNode[]; isLast: boolean }) {
  return (
    <div class={isLast ? `${styles.section} ${styles.last}` : styles.section} data-section>
      {rows}
    </div>
  );
}

function holds(row: Row<LogEntry, PendingItem>, key: string | undefined): boolean {
  return row.kind === "group" && row.items.some((item) => item.key === key);
}
