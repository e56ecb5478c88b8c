import type { VNode } from "preact";
import type { Message } from "../../../../shared/message.ts";
import type { MessageKind } from "../../../../shared/message-kinds/kinds.ts";
import { MessageFiles } from "../message-files.tsx";
import { Choices } from "./choices.tsx";
import { Citations } from "./citations.tsx";

type View = (message: Message, conversationId: string) => VNode | false;

/** The desk's view of each kind, in the order in which they stand under the text. */
const VIEWS: Readonly<Record<MessageKind, View>> = {
  attachments: ({ attachments = [] }, conversationId) =>
    attachments.length > 0 && <MessageFiles conversationId={conversationId} files={attachments} />,
  citations: ({ citations = [] }) => citations.length > 0 && <Citations citations={citations} />,
  choices: ({ choices = [] }) => choices.length > 0 && <Choices choices={choices} />,
};

/** What a message carries beside its text. */
export function Kinds({ message, conversationId }: { message: Message; conversationId: string }) {
  return <>{Object.values(VIEWS).map((view) => view(message, conversationId))}</>;
}
