import { useEffect, useRef } from "preact/hooks";
import type { Texts } from "../app/texts.ts";
import { once } from "./once.ts";

/** Asks before a conversation is ended; the harmless answer has the focus. Escape is the harmless answer too. */
export function ConfirmEnd(props: { texts: Texts; onEnd: () => void; onKeep: () => void }) {
  const { texts } = props;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div
      class="confirm"
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-detail"
    >
      <h2 id="confirm-title">{texts.confirmEnd}</h2>
      <p id="confirm-detail">{texts.confirmEndDetail}</p>
      <div class="confirm-actions">
        <button type="button" class="solid" onClick={once(props.onEnd)}>
          {texts.endConversation}
        </button>
        <button type="button" class="outline" ref={keep} onClick={props.onKeep}>
          {texts.keep}
        </button>
      </div>
    </div>
  );
}
