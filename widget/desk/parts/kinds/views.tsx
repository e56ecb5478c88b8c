import type { VNode } from "preact";
import type { Message } from "../../../../shared/message.ts";
import type { MessageKind } from "../../../../shared/message-kinds/kinds.ts";
import { Citations } from "../../../elements/citations-view.tsx";
import { texts } from "../../texts.ts";
import { MessageFiles } from "../message-files.tsx";
import { Choices } from "./choices-view.tsx";

interface KindsProps {
  readonly message: Message;
  readonly conversationId: string;
  readonly author: string;
}

type View = (message: Message, props: KindsProps) => VNode | false;

/** The desk's view of each kind, in the order in which they appear below the text. */
const VIEWS: Readonly<Record<MessageKind, View>> = {
  attachments: ({ attachments = [] }, { conversationId, author }) =>
    attachments.length > 0 && (
      <MessageFiles conversationId={conversationId} files={attachments} author={author} />
    ),
  citations: ({ citations }) => <Citations citations={citations} label={texts.sources} />,
  choices: ({ choices = [] }) => choices.length > 0 && <Choices choices={choices} />,
};

/** The parts of a message other than its text. */
export function Kinds(props: KindsProps) {
  return <>{Object.values(VIEWS).map((view) => view(props.message, props))}</>;
}
