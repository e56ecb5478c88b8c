import type { Role } from "../../../shared/message.ts";
import { Avatar } from "../../ui/avatar.tsx";
import styles from "../css/log.module.css";
import { texts } from "../texts.ts";
import { timeOfDay } from "../times.ts";

interface BubbleHeadProps {
  readonly role: Role;
  readonly name: string;
  /** The name that somebody gave, for the round sign; without one it is a figure. */
  readonly initialsOf?: string | undefined;
  readonly at?: string;
  /** Stands where the time does, for what has no time yet. */
  readonly note?: string;
}

/** Who wrote it, with a mark where it was software, and when. */
export function BubbleHead(props: BubbleHeadProps) {
  return (
    <p class={styles.bubbleHead}>
      <Avatar role={props.role} name={props.initialsOf} />
      <bdi class={styles.bubbleName}>{props.name}</bdi>
      {props.role === "agent" && props.name !== texts.aiAgent && (
        <span class={styles.aiMark}>{texts.aiMark}</span>
      )}
      {props.at && <time dateTime={props.at}>{timeOfDay(props.at)}</time>}
      {props.note && <span class={styles.bubbleNote}>{props.note}</span>}
    </p>
  );
}

/** What a writer without a name is called. */
export const NAMES: Readonly<Record<Role, string>> = {
  customer: texts.anonymous,
  agent: texts.aiAgent,
  human: texts.colleague,
  system: texts.system,
};
