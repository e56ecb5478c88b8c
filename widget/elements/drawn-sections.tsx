import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { LogEntry, PendingItem, Row, Section } from "../client/rows.ts";
import styles from "./log.module.css";

/** Renders `what`, or returns the element that was rendered for it in the same state. */
export type Keep = (what: object, state: string, draw: () => VNode) => VNode;

/** Caches rendered elements until `stale` changes. */
export function useKeep(stale: readonly unknown[]): Keep {
  const known = useMemo(() => new WeakMap<object, { state: string; drawn: VNode }>(), [...stale]);
  return (what, state, draw) => {
    const old = known.get(what);
    if (old?.state === state) return old.drawn;
    const drawn = draw();
    known.set(what, { state, drawn });
    return drawn;
  };
}

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
