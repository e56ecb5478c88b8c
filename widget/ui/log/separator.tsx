import type { AskedAction } from "../../../shared/action.ts";
import type { Mark } from "../../../shared/conversation.ts";
import type { Pending } from "../../app/log-state.ts";
import type { Row } from "../../client/rows.ts";
import styles from "../../elements/log.module.css";
import { usePanel } from "../panel-context.ts";
import { useLog } from "./log-context.ts";
import { markText } from "./mark-text.ts";

/** An entry of the log that is not a message. */
export type PanelEntry = Mark | AskedAction;

/** A separator in the log: a day, an event of the conversation, or the start of the new messages. */
export function Separator({ row }: { row: Exclude<Row<PanelEntry, Pending>, { kind: "group" }> }) {
  const { texts } = usePanel();
  const { calendar } = useLog();
  const words =
    row.kind === "day"
      ? calendar.dayName(row.at)
      : row.kind === "new"
        ? texts.firstNew
        : "type" in row.entry && markText(row.entry, texts);
  return (
    <p class={styles[row.kind === "entry" ? "mark" : row.kind]} data-new={row.kind === "new" || undefined}>
      <span>{words}</span>
    </p>
  );
}
