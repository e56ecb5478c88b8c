import { useSignal, useSignalEffect } from "@preact/signals";
import buttonStyles from "../../elements/button.module.css";
import { ClockIcon } from "../../elements/icons.tsx";
import { usePanel } from "../panel-context.ts";

/** The way to past conversations while there is no conversation, and with it no menu. Only where the service has some. */
export function PastEntry() {
  const { chat, texts, extras } = usePanel();
  const isWanted = useSignal(false);
  useSignalEffect(() => {
    const more = extras.it.value;
    if (!isWanted.value || !more) return;
    isWanted.value = false;
    more.openPast();
  });
  const session = chat.session.state.value;
  if (session.kind !== "ready" || !session.hasPast || chat.conversation.current.value) return null;
  return (
    <button
      type="button"
      class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
      onClick={() => {
        extras.want();
        isWanted.value = true;
      }}
    >
      <ClockIcon />
      {texts.past}
    </button>
  );
}
