import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Texts } from "../app/texts.ts";
import { Avatar } from "./avatar.tsx";
import { CloseIcon } from "./icons.tsx";
import type { Answerer } from "./who-answers.ts";

/** So far down the header is pulled with one finger, and the panel closes. */
const SWIPE_PX = 80;

/** Says whose panel this is and, truthfully, who answers now. */
export function Header(props: {
  texts: Texts;
  title: string;
  greeting: string | undefined;
  answerer: Answerer;
  onClose: (() => void) | undefined;
  /** Beside Close. */
  children: ComponentChildren;
}) {
  const { texts, answerer, onClose } = props;
  const start = useRef<number>(undefined);
  return (
    <div
      class={props.greeting ? "head head-tall" : "head"}
      onTouchStart={({ touches }) => {
        start.current = touches.length === 1 ? touches[0]?.clientY : undefined;
      }}
      onTouchEnd={({ changedTouches: [touch] }) => {
        if (touch && start.current !== undefined && touch.clientY - start.current > SWIPE_PX) onClose?.();
      }}
    >
      <div class="head-bar">
        <Avatar role={answerer.role} name={answerer.name} />
        <div class="head-words">
          <h1>
            <bdi>{props.title}</bdi>
          </h1>
          <p class="status" data-tone={answerer.tone}>
            <span class="status-dot" aria-hidden="true" />
            <span dir="auto">{answerer.text}</span>
          </p>
        </div>
        {props.children}
        {onClose && (
          <button type="button" class="round" aria-label={texts.close} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      {props.greeting && (
        <p class="greeting">
          <bdi>{props.greeting}</bdi>
        </p>
      )}
    </div>
  );
}
