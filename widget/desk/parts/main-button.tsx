import type { ComponentChildren } from "preact";
import styles from "../css/controls.module.css";

/** The main button of a place. While `busy` it stays focusable. */
export function MainButton(props: {
  type?: "submit";
  busy?: boolean;
  onClick?: () => void;
  children: ComponentChildren;
}) {
  return (
    <button
      type={props.type ?? "button"}
      class={`${styles.button} ${styles.buttonMain}`}
      aria-disabled={props.busy}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
