import type { ComponentChildren } from "preact";
import styles from "../css/entry.module.css";
import { texts } from "../texts.ts";
import { Mark } from "./desk-icons.tsx";

/** The card of the screens before the desk. */
export function EntryCard(props: { title: string; body: string; children: ComponentChildren }) {
  return (
    <main class={styles.entry}>
      <div class={styles.entryCard}>
        <p class={styles.entryBrand}>
          <Mark />
          {texts.product}
        </p>
        <h1>{props.title}</h1>
        <p class={styles.entryBody}>{props.body}</p>
        {props.children}
      </div>
    </main>
  );
}
