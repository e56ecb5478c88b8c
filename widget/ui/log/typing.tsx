import { useComputed } from "@preact/signals";
import { authorOf } from "../../app/author-name.ts";
import styles from "../../elements/log.module.css";
import messageStyles from "../../elements/message.module.css";
import { usePanel } from "../panel-context.ts";
import { Dots } from "./dots.tsx";
import { LOOKS } from "./message-group.tsx";

/** Shows below the log who is typing. */
export function Typing() {
  const { chat, texts } = usePanel();
  const typing = useComputed(() => chat.conversation.log.value.typing).value;
  if (!typing) return null;
  return (
    <div class={`${styles.group} ${styles.typing}`} data-role={typing.role} {...LOOKS[typing.role]}>
      <div class={messageStyles.message}>
        <div class={messageStyles.bubble}>
          <Dots label={texts.isTyping(authorOf(texts, typing.role, typing.name))} />
        </div>
      </div>
    </div>
  );
}
