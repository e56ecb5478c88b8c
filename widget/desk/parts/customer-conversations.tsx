import { useRef } from "preact/hooks";
import type { DeskCustomerConversation, DeskCustomerPage } from "../../../shared/desk.ts";
import styles from "../css/customer-page.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { answererName } from "../people.ts";
import { texts } from "../texts.ts";
import { MoreButton } from "./more-button.tsx";

/** The page of a customer who was not erased. */
export type KnownCustomer = Extract<DeskCustomerPage, { conversations: unknown }>;

/** All conversations of a customer, the newest first. A press opens one at the desk. */
export function CustomerConversations({ page }: { page: KnownCustomer }) {
  const { customer } = useDesk();
  const list = useRef<HTMLOListElement>(null);
  return (
    <section class={peopleStyles.card} aria-labelledby="customer-conversations">
      <h2 id="customer-conversations">{texts.allTitle}</h2>
      {page.conversations.length === 0 ? (
        <p class={peopleStyles.cardBody}>{texts.allNone}</p>
      ) : (
        <ol class={styles.conversations} ref={list}>
          {page.conversations.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ol>
      )}
      <MoreButton
        list={list}
        hasMore={page.next !== undefined}
        name={texts.earlierMore}
        onMore={() => void customer.readMore()}
      />
    </section>
  );
}

function Row({ row }: { row: DeskCustomerConversation }) {
  const desk = useDesk();
  const { rating, firstWords, lastWords } = row;
  const who = answererName(row.answeredBy);
  const time = desk.calendar.shortMomentOf(row.startedAt);
  return (
    <li>
      <button type="button" onClick={() => desk.openConversation(row.id)}>
        <span class={styles.words} dir="auto">
          {firstWords ?? texts.noWords}
        </span>
        {lastWords !== "" && lastWords !== firstWords && (
          <span class={styles.last}>
            {texts.allLast} <bdi>{lastWords}</bdi>
          </span>
        )}
        <span class={styles.stand}>
          <span class={peopleStyles.chip} data-state={row.state}>
            {texts.allState[row.state]}
          </span>
          <time dateTime={row.startedAt}>{texts.allStarted(time)}</time>
          {who !== undefined && (
            <span>
              {texts.allWith} <bdi>{who}</bdi>
            </span>
          )}
          {rating && <span>{texts.event.rated[rating.score]}</span>}
        </span>
        {rating?.comment && (
          <span class={styles.last}>
            <q>
              <bdi>{rating.comment}</bdi>
            </q>
          </span>
        )}
      </button>
    </li>
  );
}
