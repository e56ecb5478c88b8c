import { useComputed } from "@preact/signals";
import type { Message } from "../../../shared/message.ts";
import type { Pending } from "../../app/log-state.ts";
import type { Item } from "../../client/rows.ts";
import { icon } from "../../elements/icon.tsx";
import { ClockIcon } from "../../elements/icons.tsx";
import { CheckIcon } from "../../elements/log-icons.tsx";
import styles from "../../elements/message.module.css";
import { NotConfirmed } from "../../elements/not-confirmed.tsx";
import { usePanel } from "../panel-context.ts";
import { Problem } from "../problem.tsx";
import { FeedbackButtons } from "./feedback-buttons.tsx";
import { Kinds } from "./kinds/views.tsx";
import { useLog } from "./log-context.ts";
import { MessageTime } from "./message-time.tsx";

const SeenIcon = icon("M2.5 12.8l4 4 8.8-9.2M11.5 16.2l.8.7 8.9-9.3");

interface FootProps {
  readonly item: Item<Pending>;
  readonly id: string;
  readonly isNewestOwn: boolean;
}

/** Below a message: its state, or its parts other than text. */
export function MessageFoot({ item, id, isNewestOwn }: FootProps) {
  if (item.kind === "answer") return <AnswerFoot id={id} />;
  if (item.kind === "pending") return <PendingFoot pending={item.pending} id={id} />;
  const { message } = item;
  if (message.role !== "customer") return <ReceivedFoot message={message} id={id} />;
  return isNewestOwn ? <SentFoot message={message} id={id} /> : null;
}

/** The missed events have arrived, and no text of this answer with them: nobody may be writing it any more. */
function AnswerFoot({ id }: { id: string }) {
  const { chat } = usePanel();
  const { answer } = useLog();
  const isCut = useComputed(() => answer.value?.broken && chat.connection.state.value === "live").value;
  return isCut ? <Incomplete id={id} /> : null;
}

function Incomplete({ id }: { id: string }) {
  return (
    <p class={styles.small} id={id}>
      {usePanel().texts.incomplete}
    </p>
  );
}

function ReceivedFoot({ message, id }: { message: Message; id: string }) {
  return (
    <>
      {message.incomplete && <Incomplete id={id} />}
      <Kinds said={message} place="below" />
      {message.role === "agent" && !message.incomplete && <FeedbackButtons messageId={message.id} />}
    </>
  );
}

/** "Sent" after the service confirmed the message, "seen" after it reported that a person has read it. */
function SentFoot({ message, id }: { message: Message; id: string }) {
  const { texts } = usePanel();
  const isSeen = useLog().seenUpTo.value >= message.seq;
  return (
    <p class={styles.stand} id={id} data-seen={isSeen}>
      <MessageTime at={message.at} />
      {isSeen ? <SeenIcon /> : <CheckIcon />}
      <span>{isSeen ? texts.seen : texts.sent}</span>
    </p>
  );
}

function PendingFoot({ pending, id }: { pending: Pending; id: string }) {
  const { chat, texts, focusComposer } = usePanel();
  const { clientMessageId, code = "not_confirmed" } = pending;
  if (pending.status !== "not_confirmed") {
    return (
      <p class={styles.stand} id={id}>
        <ClockIcon />
        <span>{pending.status === "queued" ? texts.queued : texts.sending}</span>
      </p>
    );
  }
  const act = (action: (clientMessageId: string) => void) => () => {
    action(clientMessageId);
    focusComposer();
  };
  return (
    <NotConfirmed
      id={id}
      words={texts.notConfirmed}
      code={code}
      reason={<Problem failure={pending} />}
      retry={{ name: texts.retry, run: act(chat.outbox.retry) }}
      remove={{ name: texts.discard, run: act(chat.outbox.discard) }}
    />
  );
}
