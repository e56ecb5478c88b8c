import type { ComponentChildren } from "preact";
import type { FailureCode } from "../../shared/errors.ts";
import { isFinalRefusal } from "../client/final-refusal.ts";
import buttonStyles from "./button.module.css";
import { AlertIcon } from "./icons.tsx";
import { RetryIcon } from "./log-icons.tsx";
import styles from "./message.module.css";

interface Way {
  readonly name: string;
  readonly hint?: string;
  readonly run: () => void;
}

/** Below an unconfirmed message: the reason, Retry where that is of use, and Discard. */
export function NotConfirmed(props: {
  id?: string;
  words: string;
  code: FailureCode;
  reason: ComponentChildren;
  retry: Way;
  remove: Way;
}) {
  const { code, retry, remove } = props;
  return (
    <div class={styles.doubt}>
      <p id={props.id}>
        <AlertIcon />
        <span>
          <strong>{props.words}</strong> {props.reason}
        </span>
      </p>
      <div class={styles.actions}>
        {!isFinalRefusal({ code }) && (
          <button type="button" class={`${buttonStyles.quiet} ${buttonStyles.strong}`} onClick={retry.run}>
            <RetryIcon />
            {retry.name}
          </button>
        )}
        <button type="button" class={buttonStyles.quiet} title={remove.hint} onClick={remove.run}>
          {remove.name}
        </button>
      </div>
    </div>
  );
}
