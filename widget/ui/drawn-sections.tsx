import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { LogEntry, PendingItem, Row, Section } from "../client/log-rows.ts";
import styles from "./log.module.css";

/** Draws `what`, or gives the element that was drawn of it in the same state. */
export type Keep = (what: object, state: string, draw: () => VNode) => VNode;

/** Keeps the elements that were drawn, until `stale` changes. */
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
 * Draws each section, each row of it and each message, once: the same element, given again, tells Preact to leave that part
 * of the page alone. It is drawn anew when it changed, when it holds, or held, the customer's newest message, and when
 * `stale` did.
 */
export function useDrawnSections<E extends LogEntry, P extends PendingItem>(
  stale: readonly unknown[],
  drawRow: (row: Row<E, P>, newestOwn: string | undefined, keep: Keep) => VNode,
) {
  const keep = useKeep(stale);
  /** `newest` is the key of the customer's newest message, if it stands in this section. */
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

/** Preact leaves nothing alone but components: an element that is given again has each of its children looked at. */
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
