import type { Pending } from "../../app/log-state.ts";
import { wordsOfMessage } from "../../app/message-words.ts";
import { generatedBy } from "../../client/generated-by.ts";
import type { Item } from "../../client/rows.ts";
import hiddenStyles from "../../elements/hidden.module.css";
import styles from "../../elements/message.module.css";
import { PlainText, RichText } from "../../elements/rich-text.tsx";
import { usePanel } from "../panel-context.ts";
import { Dots } from "./dots.tsx";
import { Kinds } from "./kinds/views.tsx";
import { useLog } from "./log-context.ts";
import { MessageFoot } from "./message-foot.tsx";

export interface MessageViewProps {
  readonly item: Item<Pending>;
  readonly author: string;
  readonly isNewestOwn: boolean;
}

/**
 * One message, where the arrow keys stop. Its accessible name is its author and state. Its text is the description, so
 * that a screen reader that also reads the content does not say it twice.
 */
export function MessageView({ item, author, isNewestOwn }: MessageViewProps) {
  const { texts } = usePanel();
  const id = `message-${item.key}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the keys of the log search for this role
    <div
      class={styles.message}
      id={id}
      role="article"
      tabIndex={-1}
      aria-labelledby={`${id}-by ${id}-stand`}
      aria-describedby={`${id}-words`}
      data-generated={
        item.kind === "message" ? generatedBy(item.message) : item.kind === "answer" ? "" : undefined
      }
      data-state={item.kind === "pending" ? item.pending.status : item.kind}
    >
      <span class={hiddenStyles.hiddenText} id={`${id}-by`}>
        {texts.says(author)}
      </span>
      <div class={styles.bubble} id={`${id}-words`}>
        {item.kind === "answer" ? <AnswerWords /> : <Words item={item} />}
      </div>
      <MessageFoot item={item} id={`${id}-stand`} isNewestOwn={isNewestOwn} />
    </div>
  );
}

function Words({ item }: { item: Exclude<Item<Pending>, { kind: "answer" }> }) {
  const { texts } = usePanel();
  const said =
    item.kind === "pending" ? { id: item.key, role: "customer" as const, ...item.pending } : item.message;
  const words = wordsOfMessage(texts, said);
  return (
    <>
      {said.role === "customer" ? (
        words && <PlainText text={words} />
      ) : (
        <RichText text={words} copyTexts={texts} />
      )}
      <Kinds said={said} place="bubble" />
    </>
  );
}

/** Reads the signal itself, so that each piece of an answer renders only this bubble again. */
function AnswerWords() {
  const { texts } = usePanel();
  const text = useLog().answer.value?.text ?? "";
  if (!text.trim()) return <Dots label={texts.isTyping(texts.agent)} />;
  return <RichText text={text} copyTexts={texts} />;
}
