import type { VNode } from "preact";
import type { Message } from "../../../../shared/message.ts";
import type { MessageKind } from "../../../../shared/message-kinds/kinds.ts";
import type { StoredFilesModel } from "../../../app/stored-files.ts";
import { Citations } from "../../../elements/citations-view.tsx";
import { MessageFiles } from "../../message-files.tsx";
import { usePanel } from "../../panel-context.ts";

interface PastKindsProps {
  readonly message: Message;
  /** The name of its author. */
  readonly author: string;
  /** The files of the past conversation. */
  readonly stored: StoredFilesModel;
}

/**
 * The parts of a past message other than its text. Its files are loaded from the past conversation, not from the open
 * one.
 */
export function PastKinds({ message, author, stored }: PastKindsProps) {
  const { texts } = usePanel();
  const { attachments = [], citations } = message;
  const views: Readonly<Record<MessageKind, VNode | false>> = {
    attachments: attachments.length > 0 && (
      <MessageFiles files={attachments} author={author} stored={stored} />
    ),
    citations: <Citations citations={citations} label={texts.sources} />,
    // No quick replies: only the open conversation can be answered.
    choices: false,
  };
  return <>{Object.values(views)}</>;
}
