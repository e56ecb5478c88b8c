import type { ReadonlySignal } from "@preact/signals";
import type { Announcement } from "../../client/announcer.ts";
import styles from "../../ui/hidden.module.css";

/** Read out by screen readers, seen by nobody. Both regions are there from the start: one that appears with its text is often not read. */
export function LiveRegions(props: { said: ReadonlySignal<readonly Announcement[]> }) {
  const said = props.said.value;
  const show = (urgent: boolean) =>
    said.filter((each) => each.urgent === urgent).map((each) => <p key={each.id}>{each.text}</p>);
  return (
    <div class={styles.hiddenText}>
      <div role="status" aria-live="polite">
        {show(false)}
      </div>
      <div role="alert" aria-live="assertive">
        {show(true)}
      </div>
    </div>
  );
}
