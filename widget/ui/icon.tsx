import type { ComponentChildren } from "preact";
import styles from "./icon.module.css";

/** One stroke style for all: 24 units, 1.75 wide, in the colour of the text; always decoration, the button has the name. */
export function Icon(props: { children: ComponentChildren; mirror?: boolean }) {
  return (
    <svg
      class={props.mirror ? `${styles.icon} ${styles.iconMirror}` : styles.icon}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {props.children}
    </svg>
  );
}
