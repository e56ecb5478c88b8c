import { useEffect, useRef } from "preact/hooks";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import styles from "./confirm.module.css";
import { once } from "./once.ts";

/** Asks before something that can't be taken back; the harmless answer has the focus. Escape is the harmless answer too. */
export function Confirm(props: {
  texts: Texts;
  what: "End" | "Erase";
  onYes: () => void;
  onKeep: () => void;
}) {
  const { texts, what } = props;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const isEnd = what === "End";
  return (
    <div
      class={styles.confirm}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-detail"
    >
      <h2 id="confirm-title">{isEnd ? texts.confirmEnd : texts.confirmErase}</h2>
      <p id="confirm-detail">{isEnd ? texts.confirmEndDetail : texts.confirmEraseDetail}</p>
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
