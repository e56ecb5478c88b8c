import type { Citation } from "../../shared/message-kinds/citations.ts";
import { ArticleIcon } from "./log-icons.tsx";
import styles from "./message.module.css";
import { OutLink } from "./out-link.tsx";
import { safeHref } from "./safe-href.ts";

interface CitationsProps {
  readonly citations: readonly Citation[] | undefined;
  readonly label: string;
}

/** The articles that an answer quotes; a link only to a safe web address. */
export function Citations({ citations = [], label }: CitationsProps) {
  if (citations.length === 0) return null;
  return (
    <ul class={styles.sources} aria-label={label}>
      {citations.map(({ citationId, title, url }) => {
        const href = url?.startsWith("http") ? safeHref(url) : undefined;
        const words = (
          <>
            <ArticleIcon />
            <span dir="auto">{title}</span>
          </>
        );
        return (
          <li key={citationId}>
            {href ? (
              <OutLink class={styles.source} href={href}>
                {words}
              </OutLink>
            ) : (
              <span class={styles.source}>{words}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
