import type { Texts } from "../app/texts.ts";
import { Avatar } from "./avatar.tsx";
import { CloseIcon } from "./icons.tsx";
import type { Answerer } from "./who-answers.ts";

/** Says whose panel this is and, truthfully, who answers now. */
export function Header(props: {
  texts: Texts;
  title: string;
  greeting: string | undefined;
  answerer: Answerer;
  onClose: (() => void) | undefined;
}) {
  const { texts, answerer } = props;
  return (
    <div class={props.greeting ? "head head-tall" : "head"}>
      <div class="head-bar">
        <Avatar role={answerer.role} name={answerer.name} />
        <div class="head-words">
          <h1 dir="auto">{props.title}</h1>
          <p class="status" data-tone={answerer.tone}>
            <span class="status-dot" aria-hidden="true" />
            <span dir="auto">{answerer.text}</span>
          </p>
        </div>
        {props.onClose && (
          <button type="button" class="round" aria-label={texts.close} onClick={props.onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      {props.greeting && (
        <p class="greeting" dir="auto">
          {props.greeting}
        </p>
      )}
    </div>
  );
}
