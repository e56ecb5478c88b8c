import type { ComponentChildren, HTMLAttributes } from "preact";
import { AgentIcon } from "../../elements/icons.tsx";
import { usePanel } from "../panel-context.ts";
import styles from "./log-frame.module.css";

/** The scrolling region of the log. It is not a live region: the announcer says each finished message once. */
export function LogFrame(props: {
  /** The element that scrolls, and its only child, which grows. */
  scroller?: HTMLAttributes<HTMLDivElement>;
  content?: HTMLAttributes<HTMLDivElement>;
  children: ComponentChildren;
  /** Shown over the log; does not scroll with it. */
  over?: ComponentChildren;
}) {
  const { chat, texts } = usePanel();
  const handoff = chat.conversation.current.value?.handoff;
  return (
    <div class={styles.logFrame}>
      <div
        class={styles.scroller}
        {...props.scroller}
        role="log"
        aria-live="off"
        aria-label={texts.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        <div {...props.content}>
          {chat.conversation.isAnswerable.value && handoff?.status !== "accepted" && (
            <p class={styles.disclosure}>
              <AgentIcon />
              <span>{chat.session.features.value.turns ? texts.disclosure : texts.disclosureOneWay}</span>
            </p>
          )}
          {props.children}
        </div>
      </div>
      {props.over}
    </div>
  );
}
