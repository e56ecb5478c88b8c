import { useRef } from "preact/hooks";
import styles from "./button.module.css";
import { icon } from "./icon.tsx";

/** The types that the browser's file chooser offers. The service decides by the file's bytes. */
const ACCEPT = "image/png,image/jpeg,image/gif,image/webp,application/pdf";

const ClipIcon = icon("M19 11l-7 7a4 4 0 0 1-6-6l7-7a3 3 0 0 1 4 4l-7 7a1 1 0 0 1-2-2l6-6");

/** Opens the browser's file chooser. */
export function AttachButton(props: { name: string; onFiles: (files: FileList | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={styles.round}
        aria-label={props.name}
        onClick={() => input.current?.click()}
      >
        <ClipIcon />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPT}
        onChange={({ currentTarget }) => {
          props.onFiles(currentTarget.files);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
