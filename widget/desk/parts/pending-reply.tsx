import { ClockIcon } from "../../elements/icons.tsx";
import styles from "../../elements/message.module.css";
import { NotConfirmed } from "../../elements/not-confirmed.tsx";
import { RichText } from "../../elements/rich-text.tsx";
import { useDesk } from "../desk-context.ts";
import type { Reply } from "../reply.ts";
import { texts } from "../texts.ts";
import { FailureReason } from "./failure-reason.tsx";

/** A reply that is being sent, or is not confirmed: with its text, and what can be done with it. */
export function PendingReply({ reply }: { reply: Reply }) {
  const { board } = useDesk();
  const { clientMessageId, status, code = "not_confirmed" } = reply;
  return (
    <div class={styles.message} data-state={status}>
      <div class={styles.bubble}>
        {reply.body !== "" && <RichText text={reply.body} />}
        {reply.attachments.map(({ id, name }) => (
          <p key={id}>
            <bdi>{name}</bdi>
          </p>
        ))}
      </div>
      {status === "not_confirmed" ? (
        <NotConfirmed
          words={texts.notConfirmed}
          code={code}
          reason={<FailureReason of={reply} />}
          retry={{ name: texts.retry, run: () => void board.retry(clientMessageId) }}
          remove={{ name: texts.remove, hint: texts.removeHint, run: () => board.remove(clientMessageId) }}
        />
      ) : (
        <p class={styles.stand}>
          <ClockIcon />
          {texts.sending}
        </p>
      )}
    </div>
  );
}
