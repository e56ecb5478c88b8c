import type { ComponentChildren, HTMLAttributes } from "preact";
import type { Features } from "../app/features.ts";
import type { Texts } from "../app/texts.ts";
import { AgentIcon } from "./icons.tsx";
import styles from "./log-frame.module.css";

/** The scrolled region that holds the transcript. Never a live region itself: the announcer says each finished message once. */
export function LogFrame(props: {
  texts: Texts;
  features: Features;
  /** What scrolls, and the one child of it that grows. */
  scroller?: HTMLAttributes<HTMLDivElement>;
  content?: HTMLAttributes<HTMLDivElement>;
  children: ComponentChildren;
  /** Stands over the log, outside of what scrolls. */
  over?: ComponentChildren;
}) {
  const { texts } = props;
  return (
    <div class={styles.logFrame}>
      <div
        class={styles.scroller}
        {...props.scroller}
        role="log"
        aria-live="off"
        aria-label={texts.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div {...props.content}>
          <p class={styles.disclosure}>
            <AgentIcon />
            <span>{props.features.turns ? texts.disclosure : texts.disclosureOneWay}</span>
          </p>
          {props.children}
        </div>
      </div>
      {props.over}
    </div>
  );
}
