import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import styles from "../css/entry.module.css";
import { texts } from "../texts.ts";
import { Mark } from "./desk-icons.tsx";

/** The card of the screens before the desk. `isNews`: it replaces what the person was working on, and takes the focus. */
export function EntryCard(props: {
  title: string;
  body: string;
  isNews?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { isNews = false } = props;
  useEffect(() => {
    if (isNews) heading.current?.focus();
  }, [isNews]);
  return (
    <main class={styles.entry}>
      <div class={styles.entryCard}>
        <p class={styles.entryBrand}>
          <Mark />
          {texts.product}
        </p>
        <h1 ref={heading} tabIndex={-1} aria-describedby="entry-body">
          {props.title}
        </h1>
        <p class={styles.entryBody} id="entry-body">
          {props.body}
        </p>
        {props.children}
      </div>
    </main>
  );
}
