import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Avatar } from "../elements/avatar.tsx";
import buttonStyles from "../elements/button.module.css";
import { CloseIcon } from "../elements/icons.tsx";
import styles from "./header.module.css";
import { usePanel } from "./panel-context.ts";
import type { Answerer } from "./who-answers.ts";

/** Pulling the header down this far with one finger closes the panel. */
const SWIPE_PX = 80;

/** Names the owner and, as verified, who answers now. */
export function Header(props: {
  greeting: string | undefined;
  answerer: Answerer;
  onClose: (() => void) | undefined;
  /** Beside Close. */
  children: ComponentChildren;
}) {
  const { answerer, onClose } = props;
  const { texts } = usePanel();
  const start = useRef<number>(undefined);
  return (
    <div
      class={props.greeting ? `${styles.head} ${styles.tall}` : styles.head}
      onTouchStart={({ touches }) => {
        start.current = touches.length === 1 ? touches[0]?.clientY : undefined;
      }}
      onTouchEnd={({ changedTouches: [touch] }) => {
        if (touch && start.current !== undefined && touch.clientY - start.current > SWIPE_PX) onClose?.();
      }}
    >
      <div class={styles.bar}>
        <Avatar role={answerer.role} name={answerer.name} />
        <div class={styles.words}>
          <h1>
            <bdi>{texts.title}</bdi>
          </h1>
          <p class={styles.status} data-tone={answerer.tone}>
            <span class={styles.statusDot} aria-hidden="true" />
            <span>{answerer.text}</span>
          </p>
        </div>
        {props.children}
        {onClose && (
          <button type="button" class={buttonStyles.round} aria-label={texts.close} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      {props.greeting && (
        <p class={styles.greeting}>
          <bdi>{props.greeting}</bdi>
        </p>
      )}
    </div>
  );
}
