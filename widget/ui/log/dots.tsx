import styles from "../../elements/rich-text.module.css";

/** Three pulsing dots: somebody is typing. */
export function Dots({ label }: { label: string }) {
  return (
    <span class={styles.dots} role="img" aria-label={label}>
      <i />
      <i />
      <i />
    </span>
  );
}
