import { useEffect, useRef } from "preact/hooks";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import panelStyles from "./panel.module.css";
import stripsStyles from "./strips.module.css";

/** Replaces a panel that could not be rendered. The text in the box is shown, so that it can be copied if reloading fails. */
export function BrokenPanel(props: {
  texts: Texts;
  draft: string;
  onReload: () => void;
  onClose: (() => void) | undefined;
}) {
  const { texts, draft, onReload, onClose } = props;
  const reload = useRef<HTMLButtonElement>(null);
  useEffect(() => reload.current?.focus(), []);
  return (
    <section
      class={`${panelStyles.panel} ${panelStyles.broken}`}
      role={onClose ? "dialog" : "region"}
      aria-label={texts.panel}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose?.();
      }}
    >
      <p role="alert">{texts.problem_internal}</p>
      {draft && (
        <blockquote class={stripsStyles.strip} dir="auto">
          {draft}
        </blockquote>
      )}
      <button type="button" class={buttonStyles.solid} ref={reload} onClick={onReload}>
        {texts.reloadChat}
      </button>
      {onClose && (
        <button type="button" class={buttonStyles.quiet} onClick={onClose}>
          {texts.close}
        </button>
      )}
    </section>
  );
}
