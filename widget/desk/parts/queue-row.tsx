import type { DeskSummary } from "../../../shared/desk.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ClockIcon } from "../../ui/icons.tsx";
import styles from "../css/queue.module.css";
import { customerName } from "../people.ts";
import type { QueueGroupName } from "../queue-order.ts";
import { texts } from "../texts.ts";
import { durationSince, timeOrDay } from "../times.ts";

interface QueueRowProps {
  readonly row: DeskSummary;
  readonly group: QueueGroupName;
  readonly now: number;
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
  readonly hasDraft: boolean;
  readonly onOpen: () => void;
}

/** One conversation in the queue: who, since when, and the newest words. */
export function QueueRow(props: QueueRowProps) {
  const { row, group } = props;
  const waits = group === "waiting" && row.waitingSince !== undefined;
  return (
    <li>
      <button
        type="button"
        class={styles.row}
        tabIndex={props.isTabStop ? 0 : -1}
        aria-current={props.isOpen ? "true" : undefined}
        onClick={props.onOpen}
      >
        <Avatar role="customer" name={row.customer.displayName} />
        <span class={styles.rowName}>
          <bdi>{customerName(row.customer)}</bdi>
        </span>
        <time class={styles.rowTime} dateTime={row.lastAt}>
          {timeOrDay(row.lastAt, props.now)}
        </time>
        <span class={styles.rowPreview} dir="auto">
          {props.hasDraft && <span class={styles.draftMark}>{texts.draftMark}</span>}
          {row.preview}
        </span>
        {waits && (
          <span class={styles.rowWait}>
            <ClockIcon />
            {texts.waitedFor(durationSince(row.waitingSince ?? row.lastAt, props.now))}
          </span>
        )}
        {group === "others" && row.takenBy && (
          <span class={styles.rowHolder}>
            {texts.takenBy} <bdi>{row.takenBy.name}</bdi>
          </span>
        )}
      </button>
    </li>
  );
}
