import type { Role } from "../../../shared/message.ts";
import { Avatar } from "../../ui/avatar.tsx";
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
    <p class="bubble-head">
      <Avatar role={props.role} name={props.initialsOf} />
      <bdi class="bubble-name">{props.name}</bdi>
      {props.role === "agent" && props.name !== texts.aiAgent && <span class="ai-mark">{texts.aiMark}</span>}
      {props.at && <time dateTime={props.at}>{timeOfDay(props.at)}</time>}
      {props.note && <span class="bubble-note">{props.note}</span>}
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
