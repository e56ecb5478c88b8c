import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { SummaryModel } from "../app/summary-model.ts";
import buttonStyles from "../elements/button.module.css";
import { isComposing } from "../elements/is-composing.ts";
import styles from "./contact-offer.module.css";
import { usePanel } from "./panel-context.ts";
import { Problem } from "./problem.tsx";
import prominentStyles from "./prominent-button.module.css";

/** The bound of the text, in UTF-16 units, so never more than the service takes. */
const MAX_LENGTH = 4000;

/** Offers to send the team a summary, once for each hand-off; says that it was sent once the service verifiably has it. */
export function SummaryOffer({ summary }: { readonly summary: SummaryModel }) {
  const { texts } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  const isOpen = summary.isOpen.value;
  const isSent = summary.isSent.value;
  useLayoutEffect(() => {
    // The pressed button is gone, so the focus moves to the element that replaced it.
    if (isPressed.current) root.current?.querySelector<HTMLElement>("textarea, button")?.focus();
    isPressed.current = false;
  }, [isOpen, isSent]);
  const press = (act: () => void) => {
    isPressed.current = true;
    act();
  };
  return (
    <div class={styles.contact} ref={root}>
      {isSent ? (
        <p>{texts.sentence(texts.summarySent)}</p>
      ) : isOpen ? (
        <SummaryForm summary={summary} press={press} />
      ) : (
        <button
          type="button"
          class={`${buttonStyles.quiet} ${styles.open}`}
          onClick={() => press(() => void summary.open())}
        >
          {texts.summaryOffer}
        </button>
      )}
    </div>
  );
}

function SummaryForm(props: { readonly summary: SummaryModel; readonly press: (act: () => void) => void }) {
  const { texts } = usePanel();
  const { summary, press } = props;
  const id = useId();
  const request = summary.request.value;
  const unproposed = summary.unproposed.value;
  const isAsking = request.kind === "asking";
  const fault =
    request.kind === "failed" ? (
      <>
        {texts.sentence(texts.notConfirmed)} <Problem failure={request.failure} />
      </>
    ) : (
      unproposed && <Problem failure={unproposed} />
    );
  return (
    <form
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event)) return;
        event.preventDefault();
        press(summary.close);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void summary.send();
      }}
    >
      <label for={id} id={`${id}-label`}>
        {texts.summaryOffer}
      </label>
      {summary.isGenerated.value && <p>{texts.agent}</p>}
      <textarea
        id={id}
        dir="auto"
        rows={5}
        // Its own width is that of the strip, also beside short texts.
        cols={60}
        maxLength={MAX_LENGTH}
        value={summary.text.value}
        readOnly={isAsking}
        aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ""}`}
        onInput={({ currentTarget }) => summary.write(currentTarget.value)}
      />
      <p id={`${id}-hint`}>{texts.summaryHint}</p>
      {fault && (
        <p id={`${id}-fault`} class={styles.fault}>
          {fault}
        </p>
      )}
      <div class={styles.actions}>
        <button
          type="submit"
          id={`${id}-send`}
          class={prominentStyles.outline}
          // The composer has a button of the same word.
          aria-labelledby={`${id}-send ${id}-label`}
          aria-disabled={isAsking || !summary.text.value.trim()}
        >
          {isAsking ? texts.sending : request.kind === "failed" ? texts.retry : texts.send}
        </button>
        <button type="button" class={buttonStyles.quiet} onClick={() => press(summary.cancel)}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}
