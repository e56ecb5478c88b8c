import { useEffect, useRef } from "preact/hooks";
import type { Attachment } from "../../shared/attachment.ts";
import type { StoredFiles } from "../app/stored-files.ts";
import type { Texts } from "../app/texts.ts";
import { FileIcon } from "./file-icon.tsx";
import { fileSize } from "./file-size.ts";
import styles from "./message-files.module.css";

export interface FilesProps {
  readonly files: readonly Attachment[];
  readonly texts: Texts;
}

/** The files of a message. Pressing one saves it: nothing that anybody sent is opened here. */
export function MessageFiles({ files, texts, stored }: FilesProps & { stored: StoredFiles }) {
  return (
    <ul class={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <StoredFile file={file} texts={texts} stored={stored} />
        </li>
      ))}
    </ul>
  );
}

function StoredFile({ file, texts, stored }: { file: Attachment; texts: Texts; stored: StoredFiles }) {
  const button = useRef<HTMLButtonElement>(null);
  const isPicture = file.type !== "application/pdf";
  // A long log loads what somebody scrolls to, and no more.
  useEffect(() => {
    if (!isPicture || !button.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void stored.draw(file);
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [file, isPicture, stored]);
  const address = stored.pictures.value.get(file.id);
  return (
    <>
      <button
        type="button"
        class={styles.file}
        ref={button}
        // Its name is what stands on it, which is what somebody says to press it.
        title={texts.download(file.name)}
        onClick={() => void stored.download(file)}
      >
        {address ? <img src={address} alt="" decoding="async" /> : <FileIcon />}
        <span class={styles.words}>
          <bdi class={styles.name}>{file.name}</bdi> <span class={styles.size}>{fileSize(file.size)}</span>
        </span>
      </button>
      {stored.failed.value.has(file.id) && <p class={styles.doubt}>{texts.fileNotLoaded}</p>}
    </>
  );
}
