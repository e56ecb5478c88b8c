import styles from "./log.module.css";
import { DownIcon } from "./log-icons.tsx";

/** The button that scrolls to the end of a log. It says "New messages" only if there are some. */
export function ToNewest(props: {
  hasNews: boolean;
  texts: { readonly newMessages: string; readonly toNewest?: string };
  onPress: () => void;
}) {
  const { hasNews, texts, onPress } = props;
  return (
    <button
      type="button"
      class={hasNews ? styles.news : `${styles.news} ${styles.newsQuiet}`}
      aria-label={hasNews ? undefined : texts.toNewest}
      onClick={onPress}
    >
      <DownIcon />
      {hasNews && texts.newMessages}
    </button>
  );
}
