import type { Choice } from "../../../../shared/message-kinds/choices.ts";
import styles from "../../css/log.module.css";
import { texts } from "../../texts.ts";

/** The quick replies that the customer was offered, as text: only the customer can use them. */
export function Choices({ choices }: { choices: readonly Choice[] }) {
  return (
    <p class={styles.aside} dir="auto">
      {texts.choices(choices.map((choice) => choice.label ?? texts.talkToPerson).join(" · "))}
    </p>
  );
}
