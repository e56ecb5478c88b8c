import hiddenStyles from "../../elements/hidden.module.css";
import styles from "../../elements/log.module.css";
import { useLog } from "./log-context.ts";

/**
 * Shows a recent message's age, updated each minute, and an older message's time of day. Screen readers and printed
 * pages always get the time of day.
 */
export function MessageTime({ at }: { at: string }) {
  const { calendar, minute } = useLog();
  const ago = calendar.agoOf(at);
  // Only recent messages read the signal, so older ones are not rendered again each minute.
  const isRecent = ago !== undefined && minute.value >= 0;
  const clock = calendar.timeOf(at);
  return (
    <time dateTime={at} title={calendar.momentOf(at)}>
      {isRecent ? (
        <>
          <span class={hiddenStyles.hiddenText}>{clock}</span>
          <span class={styles.ago} aria-hidden="true">
            {ago}
          </span>
        </>
      ) : (
        clock
      )}
    </time>
  );
}
