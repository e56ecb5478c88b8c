import "../elements/dialog.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import { LiveRegions } from "../elements/live-regions.tsx";
import styles from "./confirm.module.css";
import { once } from "./once.ts";
import { usePanel } from "./panel-context.ts";
import prominentStyles from "./prominent-button.module.css";
import type { Question } from "./use-question.ts";

/** Asks before an action that can't be undone. The harmless answer has the focus, and Escape chooses it too. */
export function Confirm(props: {
  what: Question;
  /** Instead of the question's own second sentence. */
  detail?: string;
  onYes: () => void;
  onKeep: () => void;
}) {
  const { texts, announcer } = usePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    keep.current?.focus();
    // The browser returns the focus only if the dialog is closed before it is removed.
    return () => element?.close();
  }, []);
  const isEnd = props.what === "End";
  return (
    <dialog
      ref={dialog}
      class={styles.confirm}
      role="alertdialog"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-detail"
      onClose={props.onKeep}
    >
      <h2 id="confirm-title">{isEnd ? texts.confirmEnd : texts.confirmErase}</h2>
      <p id="confirm-detail">{props.detail ?? (isEnd ? texts.confirmEndDetail : texts.confirmEraseDetail)}</p>
      <div class={styles.actions}>
        <button
          type="button"
          class={isEnd ? prominentStyles.solid : `${prominentStyles.solid} ${prominentStyles.danger}`}
          onClick={once(props.onYes)}
        >
          {isEnd ? texts.endConversation : texts.eraseConversation}
        </button>
        <button type="button" class={prominentStyles.outline} ref={keep} onClick={props.onKeep}>
          {isEnd ? texts.keep : texts.keepConversation}
        </button>
      </div>
      <LiveRegions said={announcer.said} />
    </dialog>
  );
}
