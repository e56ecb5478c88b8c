import type { AskedAction } from "../../../shared/action.ts";
import { answerAction } from "../../app/answer-action.ts";
import { usePanel } from "../panel-context.ts";
import { Problem } from "../problem.tsx";
import prominentStyles from "../prominent-button.module.css";
import { ActionCard } from "./action-card.tsx";
import askStyles from "./ask.module.css";

/**
 * An action and, while nobody has answered, the customer's buttons, or that a person of the team decides. The question
 * stays until the service verifiably has the answer, and only its event of the log says that the action was done.
 */
export function ActionRow({ action }: { action: AskedAction }) {
  return (
    <ActionCard action={action}>
      <Ask action={action} />
    </ActionCard>
  );
}

function Ask({ action: { actionId, confirm } }: { action: AskedAction }) {
  const { chat, texts, focusComposer } = usePanel();
  const isOpen = chat.conversation.current.value?.status === "open";
  if (confirm === "person") return isOpen ? <p>{texts.statusWaiting}</p> : null;
  const request = chat.conversation.actionRequests.value.get(actionId);
  if (request?.kind === "asking") return <p>{texts.sending}</p>;
  const button = (isAllowed: boolean, name: string) => (
    <button
      type="button"
      class={prominentStyles.outline}
      onClick={() => {
        void answerAction(chat, actionId, isAllowed);
        focusComposer();
      }}
    >
      {name}
    </button>
  );
  return (
    <>
      {request?.kind === "failed" && (
        <p class={askStyles.doubt}>
          {texts.actionNotConfirmed} <Problem failure={request.failure} />
        </p>
      )}
      {isOpen && (
        <div class={askStyles.actions}>
          {button(true, texts.allow)}
          {button(false, texts.dontAllow)}
        </div>
      )}
    </>
  );
}
