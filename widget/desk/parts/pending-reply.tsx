import { AlertIcon, ClockIcon } from "../../ui/icons.tsx";
import { RetryIcon } from "../../ui/log-icons.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import type { BoardModel } from "../board-model.ts";
import controlsStyles from "../css/controls.module.css";
import logStyles from "../css/log.module.css";
import type { Outgoing } from "../outbox.ts";
import { failureText, texts } from "../texts.ts";
import { BubbleHead, NAMES } from "./bubble-head.tsx";

/** A reply that the service has not confirmed: on its way, or in doubt with its text kept and a way on. */
export function PendingReply({ reply, board }: { reply: Outgoing; board: BoardModel }) {
  const me = board.me.value?.name;
  const inDoubt = reply.status === "not_confirmed";
  return (
    <li class={logStyles.message} data-role="human" data-me="true" data-first="true" data-fate={reply.status}>
      <BubbleHead
        role="human"
        name={me ?? NAMES.human}
        initialsOf={me}
        at={new Date(reply.at).toISOString()}
      />
      <div class={logStyles.bubble}>
        <RichText text={reply.body} />
      </div>
      {inDoubt ? (
        <div class={logStyles.fate} data-fate="doubt">
          <p>
            <AlertIcon />
            <strong>{texts.notConfirmed}</strong>
            <span>{failureText(reply.failure?.code ?? "not_confirmed", reply.failure)}</span>
          </p>
          <div class={logStyles.fateActions}>
            <button
              type="button"
              class={controlsStyles.button}
              onClick={() => void board.retry(reply.clientMessageId)}
            >
              <RetryIcon />
              {texts.retry}
            </button>
            <button
              type="button"
              class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
              title={texts.removeHint}
              onClick={() => board.remove(reply.clientMessageId)}
            >
              {texts.remove}
            </button>
          </div>
        </div>
      ) : (
        <p class={logStyles.fate} data-fate="sending">
          <ClockIcon />
          {texts.sending}
        </p>
      )}
    </li>
  );
}
