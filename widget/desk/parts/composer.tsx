import type { RefObject } from "preact";
import type { DeskConversation } from "../../../shared/desk.ts";
import { AttachButton } from "../../elements/attach-button.tsx";
import { SendIcon } from "../../elements/icons.tsx";
import { isComposing } from "../../elements/is-composing.ts";
import { filesOf } from "../../elements/transferred-files.ts";
import controlsStyles from "../css/controls.module.css";
import fieldStyles from "../css/field.module.css";
import footStyles from "../css/foot.module.css";
import { useDesk } from "../desk-context.ts";
import { storedFiles } from "../files-model.ts";
import { customerName } from "../people.ts";
import { faultOfReply } from "../reply.ts";
import { texts } from "../texts.ts";
import { AgentDraft, AskForDraft } from "./agent-draft.tsx";
import { EmojiButton } from "./emoji-button.tsx";
import { ReplyFiles } from "./reply-files.tsx";

interface ComposerProps {
  readonly opened: DeskConversation;
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
}

/** The reply box. Each conversation has its own draft. */
export function Composer({ opened, boxRef }: ComposerProps) {
  const { board } = useDesk();
  const draft = board.drafts.value[opened.id] ?? "";
  const fault = faultOfReply(draft);
  const files = storedFiles(board.files.value, opened.id);
  const canSend = files !== undefined && (draft.trim() !== "" || files.length > 0) && !fault;
  const send = () => {
    board.reply();
    boxRef.current?.focus();
  };
  const insert = (emoji: string) => {
    const box = boxRef.current;
    if (!box) return;
    const { selectionStart: start, selectionEnd: end } = box;
    box.focus();
    box.setRangeText(emoji, start, end, "end");
    board.setDraft(box.value);
  };
  const onTransfer = (event: ClipboardEvent | DragEvent) => {
    const given = filesOf(event);
    if (!given) return;
    event.preventDefault();
    // Files that are still dragged may be dropped elsewhere.
    if (event.type !== "dragover") board.addFiles(given);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class={footStyles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPaste={onTransfer}
      onDragOver={onTransfer}
      onDrop={onTransfer}
    >
      <AgentDraft conversationId={opened.id} />
      <ReplyFiles conversationId={opened.id} />
      <div class={footStyles.composerBox}>
        <textarea
          ref={boxRef}
          rows={2}
          dir="auto"
          aria-label={texts.reply}
          aria-describedby={fault ? "reply-fault" : "reply-hint"}
          aria-invalid={fault ? "true" : undefined}
          placeholder={texts.replyPlaceholder(customerName(opened.customer))}
          enterkeyhint="send"
          value={draft}
          onInput={(event) => board.setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <AttachButton name={texts.attach} onFiles={(list) => board.addFiles(list ?? [])} />
        <EmojiButton onPick={insert} />
        <AskForDraft conversationId={opened.id} />
        <button
          type="submit"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={!canSend}
        >
          <SendIcon />
          <span class={controlsStyles.buttonText}>{texts.sendReply}</span>
        </button>
      </div>
      {fault ? (
        <p class={fieldStyles.fieldError} id="reply-fault">
          {fault}
        </p>
      ) : (
        <p class={footStyles.composerHint} id="reply-hint">
          {texts.replyHint}
        </p>
      )}
    </form>
  );
}
