import { once } from "./once.ts";
import { usePanel } from "./panel-context.ts";
import { Problem } from "./problem.tsx";
import { FailureStrip, Fallback, Strip } from "./strips.tsx";

/** An unconfirmed request for a person or for the end, or a conversation that the service lost. */
export function RequestDoubt() {
  const { chat, texts, focusComposer } = usePanel();
  const { conversation } = chat;
  if (conversation.isLost.value) {
    const startOver = () => {
      chat.startOver();
      focusComposer();
    };
    return (
      <FailureStrip text={texts.conversationLost} button={texts.startNew} onPress={once(startOver)}>
        <Fallback />
      </FailureStrip>
    );
  }
  const handoff = conversation.handoffRequest.value;
  const failed = handoff.kind === "failed" ? handoff : conversation.endRequest.value;
  if (failed.kind !== "failed") return <Unanswered />;
  const { failure } = failed;
  const text = failed === handoff ? texts.personNotConfirmed : texts.endNotConfirmed;
  // The request is still unconfirmed, but "support can't be reached" is no longer true.
  const isBack = failure.isSilence && chat.connection.state.value === "live";
  return (
    <FailureStrip
      text={
        isBack ? (
          text
        ) : (
          <>
            {text} <Problem failure={failure} />
          </>
        )
      }
      button={texts.retry}
      onPress={() => void (failed === handoff ? conversation.requestHuman() : conversation.end())}
    >
      <Fallback />
    </FailureStrip>
  );
}

/** Offers the owner's fallback after an unconfirmed message, or when no person was available. */
function Unanswered() {
  const { chat } = usePanel();
  const { log, current } = chat.conversation;
  if (!chat.connection.fallback.value) return null;
  const isStuck = log.value.pending.some(({ status }) => status === "not_confirmed");
  if (!isStuck && current.value?.handoff?.status !== "failed") return null;
  return (
    <Strip tone="quiet">
      <Fallback />
    </Strip>
  );
}
