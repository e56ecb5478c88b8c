import { suggestionsOf } from "../../app/own-suggestions.ts";
import { usePanel } from "../panel-context.ts";
import question from "../question-button.module.css";
import styles from "./suggestions.module.css";

/** Suggested questions, each sent with one press. */
export function Suggestions({ setting }: { setting: string | undefined }) {
  const { chat, texts, focusComposer } = usePanel();
  const choose = (text: string) => {
    chat.outbox.send(text);
    focusComposer();
  };
  const all = suggestionsOf(setting);
  if (all.length === 0) return null;
  return (
    <ul class={styles.suggestions} aria-label={texts.suggestions}>
      {all.map((text) => (
        <li key={text}>
          <button type="button" class={question.question} onClick={() => choose(text)}>
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
