import type { AttachmentsModel, TrayFile } from "../../app/attachments.ts";
import type { RefusedFile } from "../../app/composer-model.ts";
import buttonStyles from "../../elements/button.module.css";
import { FileIcon } from "../../elements/file-icon.tsx";
import { fileSize } from "../../elements/file-size.ts";
import { AlertIcon, CloseIcon } from "../../elements/icons.tsx";
import messageFilesStyles from "../../elements/message-files.module.css";
import styles from "../../elements/tray.module.css";
import { usePanel } from "../panel-context.ts";
import { Problem } from "../problem.tsx";
import { Strip } from "../strips.tsx";

/** The files of the next message, each with its state. */
export function Tray({ attachments }: { attachments: AttachmentsModel }) {
  const { chat, texts } = usePanel();
  const shown = [...attachments.tray.value, ...chat.composer.refused.value];
  const note = attachments.isTooMany.value
    ? texts.tooManyFiles
    : attachments.isLost.value
      ? texts.filesLost
      : undefined;
  return (
    <>
      {note && (
        <Strip tone="doubt" icon={<AlertIcon />}>
          {note}
        </Strip>
      )}
      {shown.length > 0 && (
        <ul class={styles.tray}>
          {shown.map((each) => (
            <TrayItem
              key={each.key}
              each={each}
              onRemove={() => attachments.remove(each.key)}
              onRetry={() => attachments.retry(each.key)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/**
 * A name whose end stays readable where its start is shortened: two files of one day differ only there. Right-to-left
 * names stay in one piece, because the order of their parts is decided for the whole name.
 */
const START_AND_END = /^([^\u0590-\u08ff]*)([ -~]{6}\.\w{1,5})$/;

function TrayItem(props: { each: TrayFile | RefusedFile; onRemove: () => void; onRetry: () => void }) {
  const { texts } = usePanel();
  const { each } = props;
  const { file } = each;
  const state = "state" in each ? each.state : ({ ...each, kind: "refused" } as const);
  const preview = "state" in each && each.preview;
  const [, start = file.name, end = ""] = START_AND_END.exec(file.name) ?? [];
  const isUploading = state.kind === "uploading";
  return (
    <li class={styles.item} data-state={state.kind}>
      {preview ? <img class={styles.picture} src={preview} alt="" /> : <FileIcon />}
      <div class={styles.words}>
        <bdi>
          <span>{start}</span>
          {end}
        </bdi>
        <span class={messageFilesStyles.size}>{fileSize(file.size)}</span>
        {isUploading && <progress aria-label={texts.uploading(file.name)} max={1} value={state.share} />}
        {"failure" in state && (
          <p class={styles.doubt}>
            {state.kind === "failed" && `${texts.sentence(texts.notConfirmed)} `}
            <Problem failure={state.failure} />
          </p>
        )}
      </div>
      {state.kind === "failed" && (
        <button type="button" class={`${buttonStyles.quiet} ${buttonStyles.strong}`} onClick={props.onRetry}>
          {texts.retry}
        </button>
      )}
      <button
        type="button"
        class={buttonStyles.round}
        aria-label={isUploading ? `${texts.cancel}: ${file.name}` : texts.removeFile(file.name)}
        onClick={props.onRemove}
      >
        <CloseIcon />
      </button>
    </li>
  );
}
