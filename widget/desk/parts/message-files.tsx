import type { Attachment } from "../../../shared/attachment.ts";
import { DESK_API } from "../../../shared/desk-operations.ts";
import { fileSize } from "../../ui/file-size.ts";
import styles from "../css/log.module.css";
import { texts } from "../texts.ts";

/**
 * Files of a message. Pictures are drawn from this desk's own address, where the service looks who asks and gives them as
 * pictures alone; everything is a link that saves the file, and nothing is opened here.
 */
export function MessageFiles({
  conversationId,
  files,
}: {
  conversationId: string;
  files: readonly Attachment[];
}) {
  return (
    <ul class={styles.files} aria-label={texts.files}>
      {files.map((file) => {
        const at = `${DESK_API}/conversations/${encodeURIComponent(conversationId)}/attachments/${encodeURIComponent(file.id)}`;
        return (
          <li key={file.id}>
            <a class={styles.file} href={at} download={file.name}>
              {file.type.startsWith("image/") && <img src={at} alt="" loading="lazy" decoding="async" />}
              <bdi>{file.name}</bdi> <span class={styles.fileSize}>{fileSize(file.size)}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
