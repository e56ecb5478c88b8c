import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Texts } from "../app/texts.ts";
import { filesOf } from "./files-of.ts";
import styles from "./panel.module.css";

/** Says, while files are dragged over the panel, that they can be dropped. The panel itself takes them. */
export function DropArea({ texts }: { texts: Texts }) {
  const isOver = useSignal(false);
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const over = (event: DragEvent) => {
      isOver.value = filesOf(event) !== undefined;
    };
    const out = (event: DragEvent) => {
      // From one element of the panel to the next it names that one; out of the panel, nothing.
      if (event.type !== "dragleave" || event.relatedTarget === null) isOver.value = false;
    };
    addEventListener("dragover", over, { signal });
    for (const type of ["dragleave", "drop"] as const) addEventListener(type, out, { signal });
    return () => ends.abort();
  }, [isOver]);
  return isOver.value ? <div class={styles.drop}>{texts.dropHere}</div> : null;
}
