import { useComputed } from "@preact/signals";
import { authorOf } from "../app/author-name.ts";
import { Dots } from "./dots.tsx";
import styles from "./log.module.css";
import messageStyles from "./message.module.css";
import { LOOKS } from "./message-group.tsx";
import { usePanel } from "./panel-context.ts";

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
