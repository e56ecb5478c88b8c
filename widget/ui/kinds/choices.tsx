import type { Choice } from "../../../shared/message-kinds/choices.ts";
import type { Texts } from "../../app/texts.ts";
import styles from "../message.module.css";
import type { Choosing } from "./choosing.ts";

interface ChoicesProps {
  readonly messageId: string;
  readonly choices: readonly Choice[];
  readonly choosing: Choosing;
  readonly texts: Pick<Texts, "choices" | "talkToPerson">;
}

/** Quick replies under a message. They stay in view once used up, because the answer may refer to them. */
export function Choices({ messageId, choices, choosing, texts }: ChoicesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as the rest of the log is
    <div class={styles.choices} role="group" aria-label={texts.choices}>
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          class={styles.choice}
          dir="auto"
          // The panel's own button has this text as its name; two controls need two names.
          aria-label={choice.label === undefined ? `${texts.talkToPerson} (${texts.choices})` : undefined}
          disabled={!choosing.canChoose(messageId, choice)}
          onClick={() => choosing.choose(choice)}
        >
          {choice.label ?? texts.talkToPerson}
        </button>
      ))}
    </div>
  );
}
