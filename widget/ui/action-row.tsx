import type { AskedAction } from "../../shared/action.ts";
import { actionQuestion, actionState } from "../app/action-words.ts";
import { problemText } from "../app/problem-texts.ts";
import askStyles from "./ask.module.css";
import buttonStyles from "./button.module.css";
import { usePanel } from "./panel-context.ts";

/**
 * An action that the agent asks permission for: exactly what would be done, then what became of it. The question stays until
 * the service verifiably has the answer, and only its event of the log says that the action was done.
 */
export function ActionRow({ action }: { action: AskedAction }) {
  const { texts } = usePanel();
  const question = actionQuestion(texts, action);
  const state = actionState(texts, action);
  const isDoubt = action.result?.status === "unknown";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not support the log's layout
    <div class={askStyles.ask} role="group" aria-label={question}>
      <p dir="auto">{question}</p>
      {action.arguments && action.arguments.length > 0 && (
        <dl>
          {action.arguments.map(({ label, value }) => (
            <div key={label}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {state === undefined ? (
        action.confirm !== "person" && <Ask action={action} />
      ) : (
        <p class={isDoubt ? askStyles.doubt : undefined}>{state}</p>
      )}
      {action.result?.text && <p dir="auto">{action.result.text}</p>}
    </div>
  );
}

function Ask({ action: { actionId } }: { action: AskedAction }) {
  const { chat, texts, focusComposer } = usePanel();
  const stand = chat.conversation.actionRequests.value.get(actionId);
  if (stand?.kind === "asking") return <p>{texts.sending}</p>;
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
  );
}
