import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Chat } from "../app/chat.ts";
import type { Part } from "../app/part.ts";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import type { ExtrasPart } from "./extras.ts";
import { Icon } from "./icon.tsx";
import type { Sound } from "./sound.ts";
import { useBackButton } from "./use-back-button.ts";

/** The button `More` and what it discloses, while there is a conversation. Escape, and a press elsewhere, close it. */
export function More(props: {
  chat: Chat;
  texts: Texts;
  locale: string;
  extras: Part<ExtrasPart>;
  onErase: () => void;
  sound?: Sound;
}) {
  const { chat, texts, extras } = props;
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
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is meant for whatever of it has the focus
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
        <Icon>
          <path d="M12 5.5v.05M12 12v.05M12 18.5v.05" stroke-width="3" />
        </Icon>
      </button>
      {isOpen.value && more && (
        <more.Menu
          texts={texts}
          locale={props.locale}
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
