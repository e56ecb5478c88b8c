import type { Citation } from "../../../shared/message-kinds/citations.ts";
import { ArticleIcon } from "../log-icons.tsx";
import { OutLink } from "../out-link.tsx";
import { safeHref } from "../safe-href.ts";

/** The articles that an answer quotes; a link only to a safe web address. */
export function Citations({ citations, label }: { citations: readonly Citation[]; label: string }) {
  return (
    <ul class="sources" aria-label={label}>
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
              <OutLink class="source" href={href}>
                {words}
              </OutLink>
            ) : (
              <span class="source">{words}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
