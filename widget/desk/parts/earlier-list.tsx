import { useRef } from "preact/hooks";
import type { PastConversation } from "../../../shared/v1/history.ts";
import customerStyles from "../css/customer.module.css";
import { useDesk } from "../desk-context.ts";
import { failureText } from "../failure-texts.ts";
import { answererName } from "../people.ts";
import { hasFailed } from "../reading.ts";
import { texts } from "../texts.ts";
import { MoreButton } from "./more-button.tsx";
import { RegionHeading } from "./region-heading.tsx";

/** This customer's earlier conversations. A press shows one to read, in place of the open one. */
export function EarlierList() {
  const { board } = useDesk();
  const list = useRef<HTMLOListElement>(null);
  const rows = board.earlier.value;
  const reading = board.earlierReading.value;
  const isFailed = hasFailed(reading);
  if (rows.length === 0 && reading === "ready") return null;
  return (
    <section>
      <RegionHeading of="part">{texts.earlierTitle}</RegionHeading>
      <ol class={customerStyles.earlier} ref={list}>
        {rows.map((row) => (
          <EarlierRow key={row.id} row={row} />
        ))}
      </ol>
      {isFailed && (
        <p role="alert">
          {texts.earlierFailed} {failureText(reading)}
        </p>
      )}
      {reading === "reading" && <p class={customerStyles.quiet}>{texts.earlierLoading}</p>}
      <MoreButton
        list={list}
        hasMore={isFailed || board.hasMoreEarlier.value}
        isReading={reading === "reading"}
        name={isFailed ? texts.tryAgain : texts.earlierMore}
        onMore={() => void board.readEarlier()}
      />
    </section>
  );
}

function EarlierRow({ row }: { row: PastConversation }) {
  const { board, calendar } = useDesk();
  const who = answererName(row.answeredBy);
  return (
    <li>
      <button
        type="button"
        aria-current={board.openedId.value === row.id ? "true" : undefined}
        onClick={() => board.openEarlier(row.id)}
      >
        <span dir="auto">{row.firstWords ?? texts.noWords}</span>
        <span class={customerStyles.quiet}>
          <time dateTime={row.startedAt}>{calendar.shortMomentOf(row.startedAt)}</time>
          {who !== undefined && (
            <>
              {" · "}
              <bdi>{who}</bdi>
            </>
          )}
        </span>
      </button>
    </li>
  );
}
