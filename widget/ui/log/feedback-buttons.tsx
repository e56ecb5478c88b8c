import { useComputed } from "@preact/signals";
import type { FeedbackScore } from "../../../shared/feedback.ts";
import { doubtText } from "../../app/feedback.ts";
import buttonStyles from "../../elements/button.module.css";
import { ThumbIcon } from "../../elements/log-icons.tsx";
import { usePanel } from "../panel-context.ts";
import styles from "./feedback.module.css";
import { useLog } from "./log-context.ts";

/** Under an agent's answer: whether it helped. The pressed button takes it back. Read here, because a row is not redrawn. */
export function FeedbackButtons({ messageId }: { messageId: string }) {
  const { chat, texts } = usePanel();
  const { feedback } = useLog();
  const given = useComputed(() => feedback.scores.value.get(messageId)).value;
  const press = useComputed(() => feedback.presses.value.get(messageId)).value;
  if (!chat.session.features.value.feedback) return null;
  const give = (score: FeedbackScore | null) => () => void feedback.give(messageId, score);
  const button = (score: FeedbackScore, name: string) => (
    <button
      type="button"
      class={buttonStyles.round}
      aria-label={name}
      aria-pressed={given === score}
      aria-disabled={press && !press.failure}
      onClick={give(given === score ? null : score)}
    >
      <ThumbIcon />
    </button>
  );
  return (
    <div class={styles.feedback}>
      {button("up", texts.helpful)}
      {button("down", texts.notHelpful)}
      {press?.failure && (
        <p>
          {doubtText(texts, press.failure)}
          {/* Retry can't help: the service does not have this answer. */}
          {press.failure.code !== "not_found" && (
            <button type="button" class={buttonStyles.quiet} onClick={give(press.score)}>
              {texts.retry}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
