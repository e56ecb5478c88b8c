import type { Role } from "../../../shared/message.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { texts } from "../texts.ts";
import { timeOfDay } from "../times.ts";

interface BubbleHeadProps {
  readonly role: Role;
  readonly name: string | undefined;
  readonly isMe: boolean;
  readonly at?: string;
  /** Stands where the time does, for what has no time yet. */
  readonly note?: string;
}

/** Who wrote it, with a mark where it was software, and when. */
export function BubbleHead(props: BubbleHeadProps) {
  const name = props.isMe ? texts.you : (props.name ?? FALLBACK_NAMES[props.role]);
  return (
    <p class="bubble-head">
      <Avatar role={props.role} name={props.name} />
      <bdi class="bubble-name">{name}</bdi>
      {props.role === "agent" && props.name && <span class="ai-mark">{texts.aiMark}</span>}
      {props.at && <time dateTime={props.at}>{timeOfDay(props.at)}</time>}
      {props.note && <span class="bubble-note">{props.note}</span>}
    </p>
  );
}

const FALLBACK_NAMES: Record<Role, string> = {
  customer: texts.anonymous,
  agent: texts.aiAgent,
  human: texts.colleague,
  system: texts.system,
};
