import type { Citation } from "../../../../shared/message-kinds/citations.ts";
import { ArticleIcon } from "../../../ui/log-icons.tsx";
import { OutLink } from "../../../ui/out-link.tsx";
import { safeHref } from "../../../ui/safe-href.ts";
import styles from "../../css/log.module.css";
import { texts } from "../../texts.ts";

/** The articles that an answer quotes; a link only to an HTTPS address. */
export function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <div class={styles.citations}>
      <p>{texts.sources}</p>
      <ul>
        {citations.map((citation) => {
          const href = citation.url?.startsWith("https:") ? safeHref(citation.url) : undefined;
          return (
            <li key={citation.citationId} dir="auto">
              <ArticleIcon />
              {href ? (
                <OutLink class={styles.source} href={href}>
                  {citation.title}
                </OutLink>
              ) : (
                <span>{citation.title}</span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
