import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import buttonStyles from "../elements/button.module.css";
import { icon } from "../elements/icon.tsx";
import { usePanel } from "./panel-context.ts";
import type { Sound } from "./sound.ts";
import { useBackButton } from "./use-back-button.ts";

const DotsIcon = icon(
  "M11.4 5.5a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M11.4 12a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M11.4 18.5a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0",
);

/** The button `More` and its menu, while there is a conversation. Escape or a press elsewhere closes the menu. */
export function More(props: { onErase: () => void; sound: Sound | undefined }) {
  const { chat, texts, extras } = usePanel();
  const isOpen = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    isOpen.value = false;
  };
  const goBack = () => {
    close();
    button.current?.focus();
  };
  useBackButton(isOpen.value ? goBack : undefined);
  useSignalEffect(() => {
    if (!isOpen.value) return;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && root.current?.contains(target))) close();
    };
    const ends = new AbortController();
    for (const type of ["pointerdown", "focusin"]) {
      document.addEventListener(type, leave, { signal: ends.signal });
    }
    return () => ends.abort();
  });
  if (!chat.conversation.current.value) return null;
  const more = extras.it.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from any of its items
    <div
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen.value) return;
        event.preventDefault();
        goBack();
      }}
    >
      <button
        type="button"
        class={buttonStyles.round}
        ref={button}
        aria-label={texts.more}
        aria-expanded={isOpen.value}
        onClick={() => {
          extras.want();
          isOpen.value = !isOpen.value;
        }}
      >
        <DotsIcon />
      </button>
      {isOpen.value && more && (
        <more.Menu
          sound={props.sound}
          onDone={goBack}
          onErase={() => {
            close();
            props.onErase();
          }}
        />
      )}
    </div>
  );
}
