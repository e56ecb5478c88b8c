import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import styles from "./rich-text.module.css";

export interface CopyTexts {
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
}

/** A block of code; with `texts` it has a button that copies it. */
export function CodeBlock({ text, texts }: { text: string; texts: CopyTexts | undefined }) {
  const code = useRef<HTMLElement>(null);
  return (
    <div class={styles.code}>
      {texts && <CopyButton text={text} texts={texts} select={() => selectAll(code.current)} />}
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
        tabIndex={0}
      >
        <code ref={code}>{text}</code>
      </pre>
    </div>
  );
}

/** Reports a copy only after the browser confirmed it. If copying is not allowed, selects the text so that keys can copy it. */
function CopyButton({ text, texts, select }: { text: string; texts: CopyTexts; select: () => void }) {
  /** The result of the last press, and the text that it was for: a streamed block may have grown since. */
  const last = useSignal<{ text: string; isCopied: boolean } | undefined>(undefined);
  const copy = async () => {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The site's page or the browser does not allow copying.
      isCopied = false;
      select();
    }
    last.value = { text, isCopied };
  };
  const outcome = last.value?.text === text ? last.value.isCopied : undefined;
  return (
    <button type="button" class={styles.copy} data-outcome={outcome} onClick={() => void copy()}>
      <span aria-live="polite">
        {outcome === undefined ? texts.copy : outcome ? texts.copied : texts.notCopied}
      </span>
    </button>
  );
}

function selectAll(element: Element | null): void {
  if (element) getSelection()?.selectAllChildren(element);
}
