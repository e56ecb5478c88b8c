import type { Choice } from "../../../shared/message-kinds/choices.ts";
import type { Chat } from "../../app/chat.ts";

/** What the buttons of quick replies need. */
export interface Choosing {
  /** Reads signals: whoever draws by it is drawn again when the answer changes. */
  canChoose(messageId: string, choice: Choice): boolean;
  choose(choice: Choice): void;
}

type ChoosingChat = {
  readonly conversation: Pick<Chat["conversation"], "log" | "current" | "handoffRequest" | "requestHuman">;
  readonly outbox: Pick<Chat["outbox"], "send">;
};

/**
 * Quick replies can be used while their message is the last of an open conversation, and a person can be asked for while
 * none is. The service decides what comes of it: nothing here claims that a message was sent or a person asked.
 * @param onChosen the pressed button is about to lose the focus
 */
export function createChoosing({ conversation, outbox }: ChoosingChat, onChosen: () => void): Choosing {
  return {
    canChoose(messageId, choice) {
      const { messages, pending } = conversation.log.value;
      const isLast = messages.at(-1)?.id === messageId && pending.length === 0;
      if (!isLast || conversation.current.value?.status !== "open") return false;
      return "send" in choice || !isPersonAsked(conversation);
    },
    choose(choice) {
      if ("send" in choice) outbox.send(choice.send);
      else void conversation.requestHuman();
      onChosen();
    },
  };
}

function isPersonAsked(conversation: Pick<Chat["conversation"], "current" | "handoffRequest">): boolean {
  const status = conversation.current.value?.handoff?.status;
  const isAsking = conversation.handoffRequest.value.kind === "asking";
  return isAsking || status === "requested" || status === "accepted";
}
