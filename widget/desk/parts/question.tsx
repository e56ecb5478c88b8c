import { useEffect, useRef } from "preact/hooks";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";

/** Asks before an action that loses something. It replaces the button, and the harmless answer has the focus. */
export function Question(props: {
  sentence: string;
  yes: string;
  no: string;
  onYes: () => void;
  onNo: () => void;
}) {
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <div
      class={`${peopleStyles.personWide} ${peopleStyles.question}`}
      role="alertdialog"
      aria-label={props.sentence}
      onKeyDown={(event) => event.key === "Escape" && props.onNo()}
    >
      <p>{props.sentence}</p>
      <p class={peopleStyles.personActions}>
        <button type="button" class={controlsStyles.button} ref={no} onClick={props.onNo}>
          {props.no}
        </button>
        <button
          type="button"
          class={`${controlsStyles.button} ${controlsStyles.buttonDanger}`}
          onClick={props.onYes}
        >
          {props.yes}
        </button>
      </p>
    </div>
  );
}
