import { useEffect, useRef } from "preact/hooks";
import styles from "../css/people.module.css";

/** The heading of a page; it takes the focus when the page opens, so that everybody knows where they are. */
export function PageHead(props: { title: string; body?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <header class={styles.pageHead}>
      <h1 ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      {props.body && <p>{props.body}</p>}
    </header>
  );
}
