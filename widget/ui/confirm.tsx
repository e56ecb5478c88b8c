import { useEffect, useRef } from "preact/hooks";
import buttonStyles from "./button.module.css";
import styles from "./confirm.module.css";
import { once } from "./once.ts";
import { usePanel } from "./panel-context.ts";
import type { Question } from "./use-question.ts";

/** Asks before an action that can't be undone. The harmless answer has the focus, and Escape chooses it too. */
export function Confirm(props: {
  what: Question;
  /** Instead of the question's own second sentence. */
  detail?: string;
  onYes: () => void;
  onKeep: () => void;
}) {
  const { texts } = usePanel();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const isEnd = props.what === "End";
  return (
    <div
      class={styles.confirm}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-detail"
    >
      <h2 id="confirm-title">{isEnd ? texts.confirmEnd : texts.confirmErase}</h2>
      <p id="confirm-detail">{props.detail ?? (isEnd ? texts.confirmEndDetail : texts.confirmEraseDetail)}</p>
      <div class={styles.actions}>
        <button
          type="button"
          class={isEnd ? buttonStyles.solid : `${buttonStyles.solid} ${buttonStyles.danger}`}
          onClick={once(props.onYes)}
        >
          {isEnd ? texts.endConversation : texts.eraseConversation}
        </button>
        <button type="button" class={buttonStyles.outline} ref={keep} onClick={props.onKeep}>
          {isEnd ? texts.keep : texts.keepConversation}
        </button>
      </div>
    </div>
  );
}
