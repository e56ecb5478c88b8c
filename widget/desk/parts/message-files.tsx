import { useState } from "preact/hooks";
import type { Attachment } from "../../../shared/attachment.ts";
import { DESK_API } from "../../../shared/desk-operations.ts";
import { FileIcon } from "../../elements/file-icon.tsx";
import { fileSize } from "../../elements/file-size.ts";
import { Lightbox } from "../../elements/lightbox.tsx";
import styles from "../../elements/message-files.module.css";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";

interface FilesProps {
  readonly conversationId: string;
  readonly files: readonly Attachment[];
  /** Who sent them. */
  readonly author: string;
}

/**
 * Files of a message. Pictures are drawn from this desk's own address, where the service checks who asks and gives them
 * only as pictures. Pressing one shows it large; any other file is saved, and never opened here.
 */
export function MessageFiles({ conversationId, files, author }: FilesProps) {
  const base = `${DESK_API}/conversations/${encodeURIComponent(conversationId)}/attachments/`;
  return (
    <ul class={styles.files} aria-label={texts.files}>
      {files.map((file) => (
        <li key={file.id}>
          <File file={file} address={base + encodeURIComponent(file.id)} author={author} />
        </li>
      ))}
    </ul>
  );
}

function File({ file, address, author }: { file: Attachment; address: string; author: string }) {
  const { name, type, size } = file;
  const desk = useDesk();
  const [isLarge, setLarge] = useState(false);
  const isPicture = type.startsWith("image/");
  const enlarge = (event: Event) => {
    event.preventDefault();
    setLarge(true);
  };
  return (
    <>
      <a
        class={styles.file}
        href={address}
        download={name}
        aria-haspopup={isPicture ? "dialog" : undefined}
        onClick={isPicture ? enlarge : undefined}
      >
        {isPicture ? <img src={address} alt="" loading="lazy" decoding="async" /> : <FileIcon />}
        <span class={styles.words}>
          <bdi class={styles.name}>{name}</bdi> <span class={styles.size}>{fileSize(size)}</span>
        </span>
      </a>
      {isLarge && (
        <Lightbox
          address={address}
          name={name}
          alt={texts.pictureBy(name, author)}
          locale="en"
          words={{ download: texts.download(name), close: texts.close }}
          said={desk.said}
          onClose={() => setLarge(false)}
        />
      )}
    </>
  );
}
