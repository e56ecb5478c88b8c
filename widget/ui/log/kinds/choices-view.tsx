import type { Choice } from "../../../../shared/message-kinds/choices.ts";
import { usePanel } from "../../panel-context.ts";
import question from "../../question-button.module.css";
import { useLog } from "../log-context.ts";
import styles from "./choices-view.module.css";

interface ChoicesProps {
  readonly messageId: string;
  readonly choices: readonly Choice[];
}

/** Quick replies under a message. They stay visible after use, because the answer may refer to them. */
export function Choices({ messageId, choices }: ChoicesProps) {
  const { texts } = usePanel();
  const { choosing } = useLog();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not support the log's layout
    <div class={styles.choices} role="group" aria-label={texts.choices}>
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          class={question.question}
          dir="auto"
          // The panel's own button has this text as its name; two controls need two names.
          aria-label={choice.label === undefined ? `${texts.talkToPerson} (${texts.choices})` : undefined}
          disabled={!choosing.canChoose(messageId)}
          onClick={() => choosing.choose(choice)}
        >
          {choice.label ?? texts.talkToPerson}
        </button>
      ))}
    </div>
  );
}
