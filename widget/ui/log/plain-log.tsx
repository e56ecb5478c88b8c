import type { Pending } from "../../app/log-state.ts";
import type { Texts } from "../../app/texts.ts";
import { usePanel } from "../panel-context.ts";
import styles from "../strips.module.css";
import { LogFrame } from "./log-frame.tsx";

/** The log until its own part has loaded: each message's text, and whether it was sent. */
export function PlainLog() {
  const { chat, texts } = usePanel();
  const { messages, pending } = chat.conversation.log.value;
  return (
    <LogFrame>
      {messages.map(({ id, body }) => (
        <p key={id} class={styles.strip} dir="auto">
          {body}
        </p>
      ))}
      {pending.map(({ clientMessageId, body, status }) => (
        <p key={clientMessageId} class={styles.strip} dir="auto">
          {body} ({stateText(status, texts)})
        </p>
      ))}
    </LogFrame>
  );
}

function stateText(status: Pending["status"], texts: Texts): string {
  if (status === "sending") return texts.sending;
  return status === "queued" ? texts.queued : texts.notConfirmed;
}
