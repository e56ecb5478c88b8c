import type { DeskConversation } from "../../../shared/desk.ts";
import type { Row } from "../../client/rows.ts";
import styles from "../../elements/log.module.css";
import deskStyles from "../css/log.module.css";
import { useDesk } from "../desk-context.ts";
import type { DeskEntry } from "../log-model.ts";
import { linkedName } from "../people.ts";
import type { Reply } from "../reply.ts";
import { texts } from "../texts.ts";
import { ActionEntry } from "./action-entry.tsx";

/** A day, or an event. */
export function Separator(props: {
  row: Exclude<Row<DeskEntry, Reply>, { kind: "group" | "new" }>;
  opened: DeskConversation;
}) {
  const { row, opened } = props;
  const { calendar } = useDesk();
  if (row.kind === "day") {
    return (
      <li class={styles.day}>
        <span>{calendar.dayName(row.at)}</span>
      </li>
    );
  }
  const { entry } = row;
  if (entry.type === "proof") {
    return (
      <li class={styles.mark}>
        <span>{texts.provenFromHere(linkedName(opened))}</span>
      </li>
    );
  }
  if (entry.type === "action.requested") return <ActionEntry event={entry} />;
  return (
    <li class={`${styles.mark} ${deskStyles.event}`} data-type={entry.type}>
      <span>
        {eventText(entry)} <time dateTime={entry.at}>{calendar.timeOf(entry.at)}</time>
        {entry.type === "conversation.rated" && entry.rating.comment && (
          <span class={deskStyles.ratingComment} dir="auto">
            {entry.rating.comment}
          </span>
        )}
      </span>
    </li>
  );
}

function eventText(event: Exclude<DeskEntry, { type: "proof" | "action.requested" }>): string {
  switch (event.type) {
    case "handoff.requested":
      return texts.event.requested;
    case "handoff.accepted":
      return texts.event.accepted(event.handoff.human?.name ?? texts.colleague);
    case "handoff.returned":
      return texts.event.returned;
    case "handoff.failed":
      return texts.event.failed;
    case "action.answered":
      return texts.event.actionAnswered[event.by ?? "customer"][event.approved ? "yes" : "no"];
    case "action.completed":
      return texts.event.actionCompleted(event.text);
    case "action.failed":
      return texts.event.actionFailed(event.text);
    case "action.unknown":
      return texts.event.actionUnknown(event.text);
    case "action.expired":
      return texts.event.actionExpired;
    case "conversation.rated":
      return texts.event.rated[event.rating.score];
    case "summary.sent":
      return texts.event.summarySent;
    case "conversation.reopened":
      return event.by === "human" ? texts.event.reopenedByHuman : texts.event.reopened;
    case "conversation.ended":
      return {
        customer: texts.event.endedByCustomer,
        human: texts.event.endedByHuman,
        system: texts.event.endedBySystem,
      }[event.by];
  }
}
