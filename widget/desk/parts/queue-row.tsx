import { useComputed } from "@preact/signals";
import type { DeskSummary } from "../../../shared/desk.ts";
import hiddenStyles from "../../elements/hidden.module.css";
import { ClockIcon } from "../../elements/icons.tsx";
import styles from "../css/queue.module.css";
import { useDesk } from "../desk-context.ts";
import { customerTitle } from "../people.ts";
import { isUnread, type QueueGroupName } from "../queue-order.ts";
import { durationText, texts } from "../texts.ts";
import { CustomerLink } from "./customer-link.tsx";

interface QueueRowProps {
  readonly row: DeskSummary;
  readonly group: QueueGroupName;
  readonly isTabStop: boolean;
}

/** One conversation in the queue: who, since when, and the latest message. */
export function QueueRow({ row, group, isTabStop }: QueueRowProps) {
  const { board, calendar } = useDesk();
  const now = board.now.value;
  const isOpen = row.id === board.openedId.value;
  // A row is drawn again when its own mark changes, not with each letter that is typed.
  const hasDoubt = useComputed(() => board.unconfirmedIn.value.has(row.id)).value;
  const hasDraft = useComputed(() => (board.drafts.value[row.id] ?? "").trim() !== "").value;
  const isNew = isUnread(row, board.me.value?.id ?? "");
  const waitsSince = row.waitingSince ?? row.unansweredSince;
  return (
    <li class={styles.item}>
      <button
        type="button"
        class={styles.row}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen ? "true" : undefined}
        data-id={row.id}
        data-unread={isNew}
        onClick={() => board.open(row.id)}
      >
        <span class={styles.rowName}>
          <bdi>{customerTitle(row.customer)}</bdi>
          {row.presence?.online && board.connection.value === "live" && (
            <span class={styles.online}>
              <span class={hiddenStyles.hiddenText}>{texts.online}</span>
            </span>
          )}
          {isNew && <span class={styles.unread}>{texts.unread}</span>}
        </span>
        <time class={styles.rowTime} dateTime={row.lastAt}>
          {calendar.timeOrDay(row.lastAt)}
        </time>
        <span class={styles.rowPreview} dir="auto">
          {hasDoubt && <span class={styles.doubtMark}>{texts.notConfirmed}</span>}{" "}
          {hasDraft && <span class={styles.draftMark}>{texts.draftMark}</span>} {row.preview || texts.noWords}
        </span>
        {waitsSince !== undefined && (
          <span class={styles.rowWait}>
            <ClockIcon />
            {texts.waitedFor(durationText(now - Date.parse(waitsSince)))}
          </span>
        )}
        {row.decision && (
          <span class={styles.rowWait}>
            <ClockIcon />
            {texts.decisionFor(durationText(now - Date.parse(row.decision.since)))}
          </span>
        )}
        {group === "others" && row.takenBy && (
          <span class={styles.rowHolder}>
            {texts.takenBy} <bdi>{row.takenBy.name}</bdi>
          </span>
        )}
      </button>
      <CustomerLink of={row} class={styles.rowCustomer} isTabStop={isTabStop} />
    </li>
  );
}
