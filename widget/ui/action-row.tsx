import type { AskedAction } from "../../shared/action.ts";
import { problemText } from "../app/problem-texts.ts";
import { nameOfAction } from "../app/texts.ts";
import askStyles from "./ask.module.css";
import buttonStyles from "./button.module.css";
import { usePanel } from "./panel-context.ts";

/** An action that the agent asks permission for. The question stays until the service verifiably has the answer. */
export function ActionRow({ action }: { action: AskedAction }) {
  const { chat, texts, focusComposer } = usePanel();
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
        focusComposer();
      }}
    >
      {name}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not support the log's layout
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
