import type { AskedAction } from "../../shared/action.ts";
import type { Chat } from "../app/chat.ts";
import { problemText } from "../app/problem-texts.ts";
import { nameOfAction, type Texts } from "../app/texts.ts";
import askStyles from "./ask.module.css";
import buttonStyles from "./button.module.css";

/** What the agent asks leave for. Answered is only what the service verifiably took; until then the question stands. */
export function ActionRow(props: { action: AskedAction; chat: Chat; texts: Texts; onFocusLost: () => void }) {
  const { action, chat, texts } = props;
  const { actionId, approved } = action;
  const stand = chat.conversation.actionRequests.value.get(actionId);
  const isAsking = stand?.kind === "asking";
  const question = texts.actionAsked(nameOfAction(action.name));
  const button = (isAllowed: boolean, name: string) => (
    <button
      type="button"
      class={buttonStyles.outline}
      onClick={() => {
        void chat.conversation.answerAction(actionId, isAllowed);
        props.onFocusLost();
      }}
    >
      {name}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as the rest of the log is
    <div class={askStyles.ask} role="group" aria-label={question}>
      <p dir="auto">{question}</p>
      {approved !== undefined ? (
        <p>{approved ? texts.actionAllowed : texts.actionNotAllowed}</p>
      ) : isAsking ? (
        <p>{texts.sending}</p>
      ) : (
        <>
          {stand?.kind === "failed" && (
            <p class={askStyles.doubt}>
              {texts.actionNotConfirmed} {problemText(texts, stand.failure)}
            </p>
          )}
          {chat.conversation.current.value?.status === "open" && (
            <div class={askStyles.actions}>
              {button(true, texts.allow)}
              {button(false, texts.dontAllow)}
            </div>
          )}
        </>
      )}
    </div>
  );
}
