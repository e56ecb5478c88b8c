import { useEffect, useRef } from "preact/hooks";
import buttonStyles from "../elements/button.module.css";
import panelStyles from "./panel.module.css";
import { usePanel } from "./panel-context.ts";
import prominentStyles from "./prominent-button.module.css";
import stripsStyles from "./strips.module.css";

/** Replaces a panel that could not be rendered. The text in the box is shown, so that it can be copied if reloading fails. */
export function BrokenPanel(props: { onReload: () => void; onClose: (() => void) | undefined }) {
  const { onReload, onClose } = props;
  const { chat, texts } = usePanel();
  // While another customer may be signing in, nothing of the previous one may be shown.
  const draft = chat.identity.isChanging.value ? "" : chat.composer.draft.value;
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
      <button type="button" class={prominentStyles.solid} ref={reload} onClick={onReload}>
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
