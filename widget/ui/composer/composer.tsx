import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { codePoints } from "../../../shared/characters.ts";
import type { Chat } from "../../app/chat.ts";
import { MAX_WAITING } from "../../app/log-state.ts";
import type { Texts } from "../../app/texts.ts";
import { AttachButton } from "../../elements/attach-button.tsx";
import { SendIcon } from "../../elements/icons.tsx";
import { isComposing } from "../../elements/is-composing.ts";
import { usePanel } from "../panel-context.ts";
import styles from "./composer.module.css";

/** The remaining characters are shown when there are fewer than this. */
const SHOW_ROOM = 300;

/** The text box with its button. It works before a session exists. A text that is too long is never cut. */
export function Composer(props: {
  box: RefObject<HTMLTextAreaElement | null>;
  onFiles: (files: FileList | null) => void;
}) {
  const { box } = props;
  const { chat, texts, announcer } = usePanel();
  const files = chat.composer.files.value;
  const draft = chat.composer.draft.value;
  const length = codePoints(draft);
  const over = length - chat.session.features.value.maxLength;
  const isFull = chat.outbox.isFull.value;
  const fault = isFull ? texts.outboxFull(MAX_WAITING) : over > 0 ? texts.tooLong(over) : undefined;
  const showsRoom = isFull || over > -SHOW_ROOM;
  const canSend = files && (draft.trim() !== "" || files.length > 0) && !fault;

  // The box grows with the draft. Browsers without `field-sizing` need a measurement, which costs a layout.
  useLayoutEffect(() => {
    const area = box.current;
    if (!area || "fieldSizing" in (area.style as object)) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${area.scrollHeight}px`;
  }, [draft, box]);

  const send = () => {
    if (canSend && chat.outbox.send(draft, files) === "sending") {
      chat.composer.draft.value = "";
      chat.composer.files.value = [];
      chat.composer.refused.value = [];
    } else if (fault) announcer.say(fault, true);
    box.current?.focus();
  };
  return (
    <form
      class={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {chat.session.features.value.files && <AttachButton name={texts.attach} onFiles={props.onFiles} />}
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={texts.message}
        aria-describedby={showsRoom ? "room" : undefined}
        aria-invalid={over > 0}
        placeholder={placeholderOf(chat, texts)}
        enterkeyhint="send"
        autocomplete="off"
        value={draft}
        onInput={(event) => {
          chat.composer.draft.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <button type="submit" class={styles.send} aria-label={texts.send} aria-disabled={!canSend}>
        <SendIcon />
      </button>
      {showsRoom && (
        <p id="room" class={styles.room} data-over={!!fault}>
          {fault ?? texts.roomLeft(-over)}
        </p>
      )}
    </form>
  );
}

/** The box while the customer's identity is checked: it shows nothing from before, and sends nothing. */
export function HeldBox({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const { chat, texts } = usePanel();
  const { held } = chat.composer;
  return (
    <div class={styles.composer}>
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={texts.message}
        autocomplete="off"
        value={held.value}
        onInput={(event) => {
          held.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

/** The hint in the empty box: it says before anybody types if support takes only one message. */
function placeholderOf(chat: Chat, texts: Texts): string {
  if (chat.session.features.value.turns) return texts.placeholder;
  const { current, isLost } = chat.conversation;
  return current.value?.status === "open" && !isLost.value ? texts.placeholderNoMore : texts.placeholderFirst;
}
