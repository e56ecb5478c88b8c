import { useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** What the browser's own chooser offers; what is taken is told by the bytes. */
const ACCEPT = "image/png,image/jpeg,image/gif,image/webp,application/pdf";

/** Opens the browser's chooser of files. */
export function AttachButton(props: { name: string; onFiles: (files: FileList | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="round" aria-label={props.name} onClick={() => input.current?.click()}>
        <Icon>
          <path d="M19 11.5l-7 7a4.5 4.5 0 0 1-6.4-6.4l7.6-7.6a3 3 0 0 1 4.3 4.3l-7.6 7.5a1.5 1.5 0 0 1-2.1-2.1l6.7-6.7" />
        </Icon>
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
