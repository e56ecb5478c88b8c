import type { AskedAction } from "../../shared/action.ts";
import type { Chat } from "../app/chat.ts";
import { problemText } from "../app/problem-texts.ts";
import { nameOfAction, type Texts } from "../app/texts.ts";

/** What the agent asks leave for. Answered is only what the service verifiably took; until then the question stands. */
export function ActionRow(props: { action: AskedAction; chat: Chat; texts: Texts; onFocusLost: () => void }) {
  const { action, chat, texts } = props;
  const { actionId, approved } = action;
  const stand = chat.actionRequests.value.get(actionId);
  const isOpen = chat.conversation.value?.status === "open";
  const answer = (isAllowed: boolean) => () => {
    void chat.answerAction(actionId, isAllowed);
    props.onFocusLost();
  };
  const question = texts.actionAsked(nameOfAction(action.name));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as the rest of the log is
    <div class="ask" role="group" aria-label={question}>
      <p dir="auto">{question}</p>
      {approved === undefined && stand?.kind === "failed" && (
        <p class="ask-doubt">
          {texts.actionNotConfirmed} {problemText(stand.failure)}
        </p>
      )}
      {approved !== undefined && <p>{approved ? texts.actionAllowed : texts.actionRefused}</p>}
      {approved === undefined && stand?.kind === "asking" && <p>{texts.actionAnswering}</p>}
      {approved === undefined && stand?.kind !== "asking" && isOpen && (
        <div class="ask-actions">
          <button type="button" class="outline" onClick={answer(true)}>
            {texts.allow}
          </button>
          <button type="button" class="outline" onClick={answer(false)}>
            {texts.dontAllow}
          </button>
        </div>
      )}
    </div>
  );
}
