import type { Attachments, TrayFile } from "../app/attachments.ts";
import { problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import { FileIcon } from "./file-icon.tsx";
import { fileSize } from "./file-size.ts";
import { AlertIcon, CloseIcon } from "./icons.tsx";
import messageFilesStyles from "./message-files.module.css";
import { Strip } from "./strips.tsx";
import styles from "./tray.module.css";

/** The files of the next message, each with how it stands. A name is text, and so is what it says of its kind. */
export function Tray({ attachments, texts }: { attachments: Attachments; texts: Texts }) {
  const tray = attachments.tray.value;
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
      {tray.length > 0 && (
        <ul class={styles.tray}>
          {tray.map((each) => (
            <TrayItem
              key={each.key}
              each={each}
              texts={texts}
              onRemove={() => attachments.remove(each.key)}
              onRetry={() => attachments.retry(each.key)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function TrayItem(props: { each: TrayFile; texts: Texts; onRemove: () => void; onRetry: () => void }) {
  const { texts } = props;
  const { file, preview, stand } = props.each;
  const isUploading = stand.kind === "uploading";
  return (
    <li class={styles.item} data-stand={stand.kind}>
      {preview ? <img class={styles.picture} src={preview} alt="" /> : <FileIcon />}
      <div class={styles.words}>
        <bdi>{file.name}</bdi>
        <span class={messageFilesStyles.size}>{fileSize(file.size)}</span>
        {isUploading && <progress aria-label={texts.uploading(file.name)} max={1} value={stand.share} />}
        {stand.kind === "failed" && (
          <p class={styles.doubt}>
            {!stand.isRefused && `${texts.sentence(texts.notConfirmed)} `}
            {problemText(texts, stand.failure)}
          </p>
        )}
      </div>
      {stand.kind === "failed" && !stand.isRefused && (
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
