import type { ReadonlySignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Announcement } from "../client/announcer.ts";
import styles from "./hidden.module.css";

/**
 * Texts for screen readers. Both regions exist from the start: many readers ignore one that appears with its text. A
 * modal dialog needs its own, because everything outside of it is inert; what was announced before it opened stays out.
 */
export function LiveRegions(props: { said: ReadonlySignal<readonly Announcement[]> }) {
  const before = useRef(new Set(props.said.peek().map(({ id }) => id)));
  const list = (isUrgent: boolean) =>
    props.said.value
      .filter(({ id, urgent }) => urgent === isUrgent && !before.current.has(id))
      .map(({ id, text }) => <p key={id}>{text}</p>);
  return (
    <div class={styles.hiddenText}>
      <div role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions">
        {list(false)}
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="false" aria-relevant="additions">
        {list(true)}
      </div>
    </div>
  );
}
