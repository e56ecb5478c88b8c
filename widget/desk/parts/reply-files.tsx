import { FileIcon } from "../../elements/file-icon.tsx";
import { fileSize } from "../../elements/file-size.ts";
import { CloseIcon } from "../../elements/icons.tsx";
import messageFilesStyles from "../../elements/message-files.module.css";
import styles from "../../elements/tray.module.css";
import controlsStyles from "../css/controls.module.css";
import { useDesk } from "../desk-context.ts";
import type { DeskFile } from "../files-model.ts";
import { texts } from "../texts.ts";
import { FailureReason } from "./failure-reason.tsx";

/** The files of the next reply, each with its state. */
export function ReplyFiles({ conversationId }: { conversationId: string }) {
  const { board } = useDesk();
  const files = board.files.value.filter((file) => file.conversationId === conversationId);
  if (files.length === 0) return null;
  return (
    <ul class={styles.tray} aria-label={texts.files}>
      {files.map((each) => (
        <ReplyFile key={each.key} each={each} />
      ))}
    </ul>
  );
}

function ReplyFile({ each: { key, file, preview, state } }: { each: DeskFile }) {
  const { board } = useDesk();
  return (
    <li class={styles.item} data-state={state.kind}>
      {preview ? <img class={styles.picture} src={preview} alt="" /> : <FileIcon />}
      <div class={styles.words}>
        <bdi>{file.name}</bdi> <span class={messageFilesStyles.size}>{fileSize(file.size)}</span>
        {state.kind === "uploading" && (
          <progress aria-label={texts.uploading(file.name)} max={1} value={state.share} />
        )}
        {"failure" in state && (
          <p class={styles.doubt}>
            {state.kind === "failed" && `${texts.notConfirmed}. `}
            <FailureReason of={state.failure} />
          </p>
        )}
      </div>
      {state.kind === "failed" && (
        <button type="button" class={controlsStyles.button} onClick={() => board.retryFile(key)}>
          {texts.retry}
        </button>
      )}
      <button
        type="button"
        class={controlsStyles.iconButton}
        aria-label={texts.removeFile(file.name)}
        onClick={() => board.removeFile(key)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}
