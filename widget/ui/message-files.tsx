import { useEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../../shared/attachment.ts";
import type { StoredFilesModel } from "../app/stored-files.ts";
import { FileIcon } from "../elements/file-icon.tsx";
import { fileSize } from "../elements/file-size.ts";
import { Lightbox } from "../elements/lightbox.tsx";
import styles from "../elements/message-files.module.css";
import type { FilesProps } from "./extras.ts";
import { usePanel } from "./panel-context.ts";

/** The files of a message. Pressing a picture shows it large; any other file is saved, and never opened here. */
export function MessageFiles({ files, author, stored }: FilesProps & { stored: StoredFilesModel }) {
  return (
    <ul class={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <StoredFile file={file} author={author} stored={stored} />
        </li>
      ))}
    </ul>
  );
}

function StoredFile(props: { file: Attachment; author: string; stored: StoredFilesModel }) {
  const { file, stored } = props;
  const { texts, locale, announcer } = usePanel();
  const [isLarge, setLarge] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isPicture = file.type !== "application/pdf";
  // Lazy: a long log loads only the files that its reader scrolls to.
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
        // The accessible name is the visible text, so that voice control can press it.
        title={address ? undefined : texts.download(file.name)}
        aria-haspopup={address ? "dialog" : undefined}
        onClick={() => (address ? setLarge(true) : void stored.download(file))}
      >
        {address ? <img src={address} alt="" decoding="async" /> : <FileIcon />}
        <span class={styles.words}>
          <bdi class={styles.name}>{file.name}</bdi> <span class={styles.size}>{fileSize(file.size)}</span>
        </span>
      </button>
      {isLarge && address && (
        <Lightbox
          address={address}
          name={file.name}
          alt={`${texts.says(props.author)} ${file.name}`}
          locale={locale}
          words={{ download: texts.download(file.name), close: texts.closeTeaser }}
          said={announcer.said}
          onClose={() => setLarge(false)}
        />
      )}
      {stored.failed.value.has(file.id) && <p class={styles.doubt}>{texts.fileNotLoaded}</p>}
    </>
  );
}
