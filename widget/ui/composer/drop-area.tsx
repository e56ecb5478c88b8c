import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { filesOf } from "../../elements/transferred-files.ts";
import { usePanel } from "../panel-context.ts";
import styles from "./drop-area.module.css";

/** Says, while files are dragged over the panel, that they can be dropped. The panel itself takes them. */
export function DropArea() {
  const { texts } = usePanel();
  const isOver = useSignal(false);
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const over = (event: DragEvent) => {
      isOver.value = filesOf(event) !== undefined;
    };
    const out = (event: DragEvent) => {
      // `relatedTarget` is another element of the panel, or null if the files left the panel.
      if (event.type !== "dragleave" || event.relatedTarget === null) isOver.value = false;
    };
    addEventListener("dragover", over, { signal });
    for (const type of ["dragleave", "drop"] as const) addEventListener(type, out, { signal });
    return () => ends.abort();
  }, [isOver]);
  return isOver.value ? <div class={styles.drop}>{texts.dropHere}</div> : null;
}
