import { useRef } from "preact/hooks";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { auditSentence, peopleTexts } from "../people-texts.ts";
import { MoreButton } from "./more-button.tsx";
import { ReadFailed } from "./read-failed.tsx";

/** The activity log, newest first, a page at a time. */
export function AuditList() {
  const { people, calendar } = useDesk();
  const list = useRef<HTMLOListElement>(null);
  const entries = people.entries.value;
  const reading = people.auditReading.value;
  return (
    <section class={peopleStyles.card} aria-labelledby="audit-title">
      <h2 id="audit-title">{peopleTexts.auditTitle}</h2>
      <p class={peopleStyles.cardBody}>{peopleTexts.auditBody}</p>
      <ol class={peopleStyles.audit} ref={list}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <span>{auditSentence(entry)}</span>
            <time dateTime={entry.at}>{calendar.shortMomentOf(entry.at)}</time>
          </li>
        ))}
      </ol>
      <ReadFailed reading={reading} sentence={peopleTexts.auditFailed} onTryAgain={people.readAgain} />
      {reading === "reading" && <p class={peopleStyles.cardBody}>{peopleTexts.auditLoading}</p>}
      {reading === "ready" && entries.length === 0 && (
        <p class={peopleStyles.cardBody}>{peopleTexts.auditEmpty}</p>
      )}
      <MoreButton
        list={list}
        hasMore={people.older.value !== undefined}
        isReading={reading === "reading"}
        name={peopleTexts.auditMore}
        onMore={() => people.readOlder()}
      />
    </section>
  );
}
