import { useEffect, useRef } from "preact/hooks";
import customerStyles from "../css/customer.module.css";
import styles from "../css/customer-page.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { CustomerAvatar } from "../parts/customer-avatar.tsx";
import { CustomerConversations, type KnownCustomer } from "../parts/customer-conversations.tsx";
import { Addresses, Field, Proof, Traits } from "../parts/customer-facts.tsx";
import { ReadFailed } from "../parts/read-failed.tsx";
import { IsMain } from "../parts/region-heading.tsx";
import { TypedFacts } from "../parts/team-facts.tsx";
import { customerTitle, languageName, presenceText } from "../people.ts";
import { texts } from "../texts.ts";

/** One customer: who they are, who says so, and all their conversations. */
export function CustomerPage() {
  const { customer } = useDesk();
  const page = customer.page.value;
  const reading = customer.reading.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const isKnown = page !== undefined && "conversations" in page;
  // The heading takes the focus, so that everybody knows where they are.
  useEffect(() => heading.current?.focus(), [page?.id]);
  return (
    <main class={peopleStyles.page}>
      <header class={styles.head}>
        {isKnown && <CustomerAvatar customer={page.customer} />}
        <div class={peopleStyles.pageHead}>
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{isKnown ? customerTitle(page.customer) : texts.customerTitle}</bdi>
          </h1>
          {isKnown && <Standing page={page} />}
        </div>
      </header>
      {page === undefined && reading === "reading" && <p role="status">{texts.customerReading}</p>}
      {reading === "not_found" ? (
        <p class={styles.gone} role="alert">
          {texts.customerMissing}
        </p>
      ) : (
        <ReadFailed
          reading={reading}
          sentence={texts.customerFailed}
          onTryAgain={() => void customer.readAgain()}
        />
      )}
      {page && !isKnown && <Erased at={page.erasedAt} />}
      {isKnown && (
        <IsMain.Provider value={true}>
          <section class={peopleStyles.card} aria-labelledby="customer-facts">
            <h2 id="customer-facts">{texts.factsTitle}</h2>
            <Facts page={page} />
          </section>
          <CustomerConversations page={page} />
        </IsMain.Provider>
      )}
    </main>
  );
}

function Standing({ page }: { page: KnownCustomer }) {
  const { board } = useDesk();
  const { presence } = page;
  const isLive = board.connection.value === "live";
  return (
    <div class={styles.standing}>
      <Proof identified={page.customer.identified} />
      {presence && isLive && <span>{presenceText(presence, board.now.value)}</span>}
    </div>
  );
}

function Facts({ page: { customer, contact, firstSeenAt, lastSeenAt } }: { page: KnownCustomer }) {
  const { calendar } = useDesk();
  const { locale, startedFrom: { page, browser } = {} } = customer;
  return (
    <div class={styles.facts}>
      <Addresses customer={customer} contact={contact} />
      {customer.team && (
        <dl>
          <TypedFacts team={customer.team} />
        </dl>
      )}
      <dl>
        <Field name={texts.firstSeen}>
          <time dateTime={firstSeenAt}>{calendar.shortMomentOf(firstSeenAt)}</time>
        </Field>
        <Field name={texts.lastWrote}>
          <time dateTime={lastSeenAt}>{calendar.shortMomentOf(lastSeenAt)}</time>
        </Field>
        {locale !== undefined && <Field name={texts.language}>{languageName(locale) ?? locale}</Field>}
        {browser !== undefined && <Field name={texts.browser}>{browser}</Field>}
        {page !== undefined && (
          <Field name={texts.startedOn}>
            <bdi>{page}</bdi>
          </Field>
        )}
        {/* A signed-in customer's is above. An operator needs it to export or erase the data. */}
        {!customer.identified && (
          <Field name={texts.field.id}>
            <bdi class={customerStyles.code}>{customer.externalId}</bdi>
          </Field>
        )}
      </dl>
      <Traits customer={customer} />
    </div>
  );
}

function Erased({ at }: { at: string }) {
  const { calendar } = useDesk();
  return (
    <p class={styles.gone} role="alert">
      {texts.customerErased(calendar.shortMomentOf(at))}
    </p>
  );
}
